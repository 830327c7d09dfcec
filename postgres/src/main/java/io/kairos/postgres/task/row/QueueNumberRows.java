package io.kairos.postgres.task.row;

import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The table of queues. No queue is ever removed, so that a caller may keep its number. */
public final class QueueNumberRows {
  private static final SqlStatement INSERT = SqlStatement.load("task/row/queue_insert.sql");
  private static final SqlStatement FIND = SqlStatement.load("task/row/queue_find.sql");
  private static final SqlStatement ALL = SqlStatement.load("task/row/queue_all.sql");

  private QueueNumberRows() {}

  /**
   * Returns the numbers of queues, and creates new ones. Leaves out queues that another open
   * transaction is creating, and those for which there is no room.
   */
  public static Map<QueueName, QueueId> of(SqlDatabase database, Collection<QueueName> names) {
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

  /**
   * Returns the numbers of queues, and creates new ones. The second statement also sees the queues
   * that others have inserted in the meantime.
   */
  public static Map<QueueName, QueueId> of(Connection connection, Collection<QueueName> names) {
    List<QueueName> sorted =
        names.stream()
            .distinct()
            .sorted(
                Comparator.comparing((QueueName name) -> name.handler().wireName())
                    .thenComparingInt(QueueName::priority))
            .toList();
    bind(INSERT.on(connection), sorted).with("most", TaskStore.MOST_QUEUES).update();
    return bind(FIND.on(connection), sorted)
        .map(row -> name(row, 2), row -> new QueueId(row.getInt(1)));
  }

  public static Map<QueueId, QueueName> all(Connection connection) {
    return ALL.on(connection).map(row -> new QueueId(row.getInt(1)), row -> name(row, 2));
  }

  /**
   * The name of a queue in a row.
   *
   * @param handler the column; that of the priority follows
   */
  public static QueueName name(ResultSet row, int handler) throws SQLException {
    return new QueueName(
        TaskHandler.ofWireName(NonNullColumns.text(row, handler)), row.getInt(handler + 1));
  }

  private static SqlCall bind(SqlCall call, List<QueueName> names) {
    return call.with("handlers", ColumnBatch.texts(names, name -> name.handler().wireName()))
        .with("priorities", ColumnBatch.ints(names, QueueName::priority));
  }
}
