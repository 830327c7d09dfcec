package io.kairos.postgres.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.Output;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stores batches, each in one transaction. Thread-safe.
 *
 * <p>Duplicates of pending messages are rare, so a batch is first inserted as if there were none;
 * if there is one, the transaction is rolled back and done again by the statement that skips them,
 * as the next batches are from the start. Which ids were new is asked only when some were not.
 */
final class Intake {
  private static final Sql INSERT = Sql.load(Intake.class, "accept_insert.sql");
  private static final Sql INSERT_SKIPPING = Sql.load(Intake.class, "accept_insert_skipping.sql");
  private static final Sql INSERTED = Sql.load(Intake.class, "accept_inserted.sql");
  private static final Sql MARK = Sql.load(Intake.class, "accept_mark.sql");
  private static final byte[] @Nullable [] NO_ELEMENTS = new byte[0][];

  private static final String UNIQUE_VIOLATION = "23505";

  /** A try that fails costs about a batch: one in a hundred at most, if duplicates keep coming. */
  private static final int BATCHES_WITH_CARE = 100;

  private final AtomicInteger withCare = new AtomicInteger();

  /** Takes a batch in on a connection without open transaction; the caller commits. */
  IntakeResult accept(Connection connection, IntakeBatch batch) throws SQLException {
    if (withCare.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
      try {
        return accept(connection, batch, INSERT);
      } catch (SQLException e) {
        if (!UNIQUE_VIOLATION.equals(e.getSQLState())) {
          throw e;
        }
        connection.rollback();
        withCare.set(BATCHES_WITH_CARE);
      }
    }
    return accept(connection, batch, INSERT_SKIPPING);
  }

  private static IntakeResult accept(Connection connection, IntakeBatch batch, Sql insert)
      throws SQLException {
    if (!Positions.move(connection, batch.route(), batch.fence().readiedBy(), batch.moves())) {
      return new IntakeResult.Superseded();
    }
    Set<MessageId> inserted = insert(connection, batch, insert);
    if (!batch.maybeFired().isEmpty()) {
      mark(connection, batch);
    }
    Amendments.Taken taken =
        Amendments.take(connection, batch.route(), batch.fence().readiedBy(), batch.amendments());
    return new IntakeResult.Stored(inserted, taken.decided());
  }

  /** Returns the ids that were new. */
  private static Set<MessageId> insert(Connection connection, IntakeBatch batch, Sql insert)
      throws SQLException {
    New[] rows = new New[batch.claimed().size() + batch.waiting().size()];
    if (rows.length == 0) {
      return Set.of();
    }
    int n = 0;
    for (DelayedMessage message : batch.claimed()) {
      rows[n++] = new New(Ids.utf8(message.id()), message, true);
    }
    for (DelayedMessage message : batch.waiting()) {
      rows[n++] = new New(Ids.utf8(message.id()), message, false);
    }
    Arrays.sort(rows);
    BinaryArray ids = BinaryArray.texts(Arrays.stream(rows).map(New::id).toArray(byte[][]::new));
    try (Call call = bind(insert.on(connection), rows, batch).with("ids", ids)) {
      return call.update() == rows.length ? ids(rows) : inserted(connection, batch.route(), ids);
    }
  }

  /**
   * A message of the batch. They go in by id, in the order of the primary key's index: so two
   * batches with the same ids wait for each other at most one way round, and neighbours share index
   * pages.
   *
   * @param id in UTF-8
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by compareTo alone
  private record New(byte[] id, DelayedMessage message, boolean claimed)
      implements Comparable<New> {
    @Override
    public int compareTo(New other) {
      return Arrays.compareUnsigned(id, other.id);
    }
  }

  private static Call bind(Call call, New[] rows, IntakeBatch batch) throws SQLException {
    long[] deadlines = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      deadlines[i] = rows[i].message.dueMicros();
    }
    return call.with("route", batch.route().value())
        .with("holder", batch.fence().readiedBy().value())
        .with("deadlines", BinaryArray.longs(deadlines))
        .with("stamps", stamps(rows, batch.fence().readiedAtMicros()))
        .with("headers", column(rows, Intake::headers, BinaryArray::bytes))
        .with("keys", column(rows, DelayedMessage::key, BinaryArray::bytes))
        .with("values", column(rows, DelayedMessage::value, BinaryArray::bytes))
        .with("outputs", column(rows, Intake::output, BinaryArray::texts));
  }

  private static BinaryArray stamps(New[] rows, long stamp) {
    long[] stamps = new long[rows.length];
    boolean[] waiting = new boolean[rows.length];
    for (int i = 0; i < rows.length; i++) {
      stamps[i] = stamp;
      waiting[i] = !rows[i].claimed;
    }
    return BinaryArray.longs(stamps, waiting);
  }

  /** One column of the batch; an empty array stands for a column of nulls. */
  private static BinaryArray column(
      New[] rows,
      Function<DelayedMessage, byte @Nullable []> column,
      Function<byte[] @Nullable [], BinaryArray> type) {
    byte[] @Nullable [] elements = new byte[rows.length][];
    boolean allNull = true;
    for (int i = 0; i < rows.length; i++) {
      byte[] element = column.apply(rows[i].message);
      elements[i] = element;
      allNull &= element == null;
    }
    return type.apply(allNull ? NO_ELEMENTS : elements);
  }

  /** The statement makes null headers empty again. */
  private static byte @Nullable [] headers(DelayedMessage message) {
    return message.headers().length == 0 ? null : message.headers();
  }

  private static byte @Nullable [] output(DelayedMessage message) {
    Output output = message.output();
    return output == null ? null : output.label().getBytes(StandardCharsets.UTF_8);
  }

  private static Set<MessageId> ids(New[] rows) {
    Set<MessageId> ids = HashSet.newHashSet(rows.length);
    for (New row : rows) {
      ids.add(row.message.id());
    }
    return ids;
  }

  private static void mark(Connection connection, IntakeBatch batch) throws SQLException {
    try (Call call =
        MARK.on(connection)
            .with("route", batch.route().value())
            .with("ids", Ids.of(batch.maybeFired()))) {
      call.update();
    }
  }

  private static Set<MessageId> inserted(Connection connection, RouteId route, BinaryArray ids)
      throws SQLException {
    Set<MessageId> inserted = new HashSet<>();
    try (Call call = INSERTED.on(connection).with("route", route.value()).with("ids", ids);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        inserted.add(new MessageId(Columns.text(rows, 1)));
      }
    }
    return inserted;
  }
}
