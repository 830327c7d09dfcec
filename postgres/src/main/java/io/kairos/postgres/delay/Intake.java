package io.kairos.postgres.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stores the messages of a batch in one statement. The statement returns a count alone: which ids
 * were new is asked only when some were not, because returning every id would cost more than the
 * rare second question.
 */
final class Intake {
  private static final Sql INSERT = Sql.load(Intake.class, "accept_insert.sql");
  private static final Sql INSERTED = Sql.load(Intake.class, "accept_inserted.sql");
  private static final byte[] @Nullable [] NO_ELEMENTS = new byte[0][];

  private Intake() {}

  /** Returns the ids that were new. */
  static Set<MessageId> insert(Connection connection, IntakeBatch batch) throws SQLException {
    List<New> all = new ArrayList<>(batch.claimed().size() + batch.waiting().size());
    batch.claimed().forEach(message -> all.add(new New(message, true)));
    batch.waiting().forEach(message -> all.add(new New(message, false)));
    if (all.isEmpty()) {
      return Set.of();
    }
    Row<New>[] rows = Row.sorted(all, one -> new Row<>(batch.route(), one.message.id(), one));
    try (Call call = bind(INSERT.on(connection), rows, batch)) {
      return call.update() == rows.length
          ? ids(all)
          : inserted(connection, batch.route(), Row.ids(rows));
    }
  }

  private record New(DelayedMessage message, boolean claimed) {}

  private static Call bind(Call call, Row<New>[] rows, IntakeBatch batch) throws SQLException {
    long[] deadlines = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      deadlines[i] = rows[i].what().message.dueMicros();
    }
    return call.with("route", batch.route().value())
        .with("holder", batch.fence().readiedBy().value())
        .with("ids", Row.ids(rows))
        .with("deadlines", BinaryArray.longs(deadlines))
        .with("stamps", stamps(rows, batch.fence().readiedAtMicros()))
        .with("headers", column(rows, Intake::headers, BinaryArray::bytes))
        .with("keys", column(rows, DelayedMessage::key, BinaryArray::bytes))
        .with("values", column(rows, DelayedMessage::value, BinaryArray::bytes))
        .with("outputs", column(rows, Intake::output, BinaryArray::texts));
  }

  private static BinaryArray stamps(Row<New>[] rows, long stamp) {
    long[] stamps = new long[rows.length];
    boolean[] waiting = new boolean[rows.length];
    for (int i = 0; i < rows.length; i++) {
      stamps[i] = stamp;
      waiting[i] = !rows[i].what().claimed;
    }
    return BinaryArray.longs(stamps, waiting);
  }

  /** One column of the batch; an empty array stands for a column of nulls. */
  private static BinaryArray column(
      Row<New>[] rows,
      Function<DelayedMessage, byte @Nullable []> column,
      Function<byte[] @Nullable [], BinaryArray> type) {
    byte[] @Nullable [] elements = new byte[rows.length][];
    boolean allNull = true;
    for (int i = 0; i < rows.length; i++) {
      byte[] element = column.apply(rows[i].what().message);
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
    String output = message.output();
    return output == null ? null : output.getBytes(StandardCharsets.UTF_8);
  }

  private static Set<MessageId> ids(Collection<New> all) {
    Set<MessageId> ids = HashSet.newHashSet(all.size());
    for (New one : all) {
      ids.add(one.message.id());
    }
    return ids;
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
