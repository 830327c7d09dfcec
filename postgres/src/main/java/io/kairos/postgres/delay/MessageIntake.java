package io.kairos.postgres.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Stores batches, each in one transaction. Thread-safe.
 *
 * <p>Duplicates of pending messages are rare, so a batch is first inserted as if it had none. If it
 * has one, the transaction is rolled back and the batch is inserted by the statement that skips
 * duplicates; the next batches are inserted by that statement at once. The new ids are read only
 * when some were not new.
 */
final class MessageIntake {
  private static final SqlStatement INSERT = SqlStatement.load("delay/accept_insert.sql");
  private static final SqlStatement INSERT_SKIPPING =
      SqlStatement.load("delay/accept_insert_skipping.sql");
  private static final SqlStatement INSERTED = SqlStatement.load("delay/accept_inserted.sql");
  private static final SqlStatement MARK = SqlStatement.load("delay/accept_mark.sql");

  private static final String UNIQUE_VIOLATION = "23505";

  /**
   * How many batches skip duplicates at once after a duplicate was found. A failed attempt costs as
   * much as a batch, so that duplicates cost at most one batch in a hundred.
   */
  private static final int BATCHES_WITH_CARE = 100;

  private final AtomicInteger withCare = new AtomicInteger();

  /** Stores a batch on a connection without an open transaction; the caller commits. */
  IntakeResult accept(Connection connection, IntakeBatch batch) throws SQLException {
    if (withCare.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
      try {
        return accept(connection, batch, INSERT);
      } catch (SqlFailure e) {
        if (!UNIQUE_VIOLATION.equals(e.failure().getSQLState())) {
          throw e;
        }
        connection.rollback();
        withCare.set(BATCHES_WITH_CARE);
      }
    }
    return accept(connection, batch, INSERT_SKIPPING);
  }

  private static IntakeResult accept(Connection connection, IntakeBatch batch, SqlStatement insert)
      throws SQLException {
    if (!InputPositions.move(connection, batch.route(), batch.fence().readiedBy(), batch.moves())) {
      return new IntakeResult.Superseded();
    }
    Set<MessageId> inserted = insert(connection, batch, insert);
    if (!batch.maybeFired().isEmpty()) {
      mark(connection, batch);
    }
    AmendmentIntake.AmendmentResults taken =
        AmendmentIntake.take(
            connection, batch.route(), batch.fence().readiedBy(), batch.amendments());
    return new IntakeResult.Stored(inserted, taken.decided());
  }

  /** Returns the ids that were new. */
  private static Set<MessageId> insert(
      Connection connection, IntakeBatch batch, SqlStatement insert) {
    List<New> rows = new ArrayList<>(batch.claimed().size() + batch.waiting().size());
    batch.claimed().forEach(message -> rows.add(New.of(message, true)));
    batch.waiting().forEach(message -> rows.add(New.of(message, false)));
    if (rows.isEmpty()) {
      return Set.of();
    }
    Collections.sort(rows);
    BinaryArray ids = BinaryArray.texts(rows.stream().map(New::id).toArray(byte[][]::new));
    return bind(insert.on(connection), rows, batch).with("ids", ids).update() == rows.size()
        ? ids(rows)
        : inserted(connection, batch.route(), ids);
  }

  /**
   * A message of the batch. Messages are inserted by id, in the order of the primary key's index:
   * so two batches with the same ids cannot deadlock, and neighbours share index pages.
   *
   * @param id in UTF-8
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by compareTo alone
  private record New(byte[] id, DelayedMessage message, boolean claimed)
      implements Comparable<New> {
    static New of(DelayedMessage message, boolean claimed) {
      return new New(message.id().value().getBytes(StandardCharsets.UTF_8), message, claimed);
    }

    @Override
    public int compareTo(New other) {
      return Arrays.compareUnsigned(id, other.id);
    }
  }

  /** The statement takes an empty array for a column of nulls. */
  private static SqlCall bind(SqlCall call, List<New> rows, IntakeBatch batch) {
    Long stamp = batch.fence().readiedAtMicros();
    return call.with("route", batch.route().value())
        .with("holder", batch.fence().readiedBy().value())
        .with("deadlines", ColumnBatch.longs(rows, row -> row.message.dueMicros()))
        .with("stamps", ColumnBatch.longsOrNulls(rows, row -> row.claimed ? stamp : null))
        .with("headers", ColumnBatch.bytes(rows, MessageIntake::headers).emptyIfAllNull())
        .with("keys", ColumnBatch.bytes(rows, row -> row.message.key()).emptyIfAllNull())
        .with("values", ColumnBatch.bytes(rows, row -> row.message.value()).emptyIfAllNull())
        .with("outputs", ColumnBatch.texts(rows, MessageIntake::output).emptyIfAllNull());
  }

  /** The statement makes null headers empty again. */
  private static byte @Nullable [] headers(New row) {
    byte[] headers = row.message.headers();
    return headers.length == 0 ? null : headers;
  }

  private static @Nullable String output(New row) {
    MessageOutput output = row.message.output();
    return output == null ? null : output.label();
  }

  private static Set<MessageId> ids(List<New> rows) {
    Set<MessageId> ids = HashSet.newHashSet(rows.size());
    for (New row : rows) {
      ids.add(row.message.id());
    }
    return ids;
  }

  private static void mark(Connection connection, IntakeBatch batch) {
    MARK.on(connection)
        .with("route", batch.route().value())
        .with("ids", MessageIdArray.of(batch.maybeFired()))
        .update();
  }

  private static Set<MessageId> inserted(Connection connection, RouteId route, BinaryArray ids) {
    return INSERTED
        .on(connection)
        .with("route", route.value())
        .with("ids", ids)
        .set(row -> new MessageId(NonNullColumns.text(row, 1)));
  }
}
