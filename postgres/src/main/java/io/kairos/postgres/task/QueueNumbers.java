package io.kairos.postgres.task;

import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Database;
import io.kairos.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The table of queues. No node removes any, so that who knows a number may keep it. */
final class QueueNumbers {
  private static final Sql INSERT = Sql.load(QueueNumbers.class, "queue_insert.sql");
  private static final Sql FIND = Sql.load(QueueNumbers.class, "queue_find.sql");
  private static final Sql ALL = Sql.load(QueueNumbers.class, "queue_all.sql");

  private QueueNumbers() {}

  /**
   * Leaves out those that somebody else's transaction is making, who takes his time, and those for
   * which there is no room.
   */
  static Map<QueueName, QueueId> of(Database database, Collection<QueueName> names) {
    if (names.isEmpty()) {
      return Map.of();
    }
    Map<QueueName, QueueId> numbers = new HashMap<>();
    new LockWaits()
        .together(
            List.copyOf(names),
            (some, longestWait) ->
                numbers.putAll(
                    database.transaction(
                        "numbering queues",
                        connection -> {
                          LockWaits.bound(connection, longestWait);
                          return of(connection, some);
                        })),
            _ -> {});
    return numbers;
  }

  /** The second statement sees what others have inserted meanwhile. */
  static Map<QueueName, QueueId> of(Connection connection, Collection<QueueName> names)
      throws SQLException {
    List<QueueName> sorted =
        names.stream()
            .distinct()
            .sorted(
                Comparator.comparing((QueueName name) -> name.handler().wireName())
                    .thenComparingInt(QueueName::priority))
            .toList();
    try (Call call = bind(INSERT.on(connection), sorted).with("most", TaskStore.MOST_QUEUES)) {
      call.update();
    }
    Map<QueueName, QueueId> numbers = new HashMap<>();
    try (Call call = bind(FIND.on(connection), sorted);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        numbers.put(name(rows, 2), new QueueId(rows.getInt(1)));
      }
    }
    return numbers;
  }

  static Map<QueueId, QueueName> all(Connection connection) throws SQLException {
    Map<QueueId, QueueName> names = new HashMap<>();
    try (Call call = ALL.on(connection);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        names.put(new QueueId(rows.getInt(1)), name(rows, 2));
      }
    }
    return names;
  }

  /**
   * @param handler the column; that of the priority follows
   */
  static QueueName name(ResultSet row, int handler) throws SQLException {
    return new QueueName(
        TaskHandler.ofWireName(Columns.text(row, handler)), row.getInt(handler + 1));
  }

  private static Call bind(Call call, List<QueueName> names) throws SQLException {
    byte[][] handlers = new byte[names.size()][];
    int[] priorities = new int[handlers.length];
    for (int i = 0; i < handlers.length; i++) {
      handlers[i] = names.get(i).handler().wireName().getBytes(StandardCharsets.UTF_8);
      priorities[i] = names.get(i).priority();
    }
    return call.with("handlers", BinaryArray.texts(handlers))
        .with("priorities", BinaryArray.ints(priorities));
  }
}
