package io.kairos.postgres.task.row;

import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.RetiredQueues;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table of queues, which maps names to numbers. Nodes keep numbers in memory. A queue that
 * holds nothing is therefore retired first, and removed at least ten minutes later. {@code
 * insert.sql} stores no task on a retired queue, so a node with an old number has to ask again.
 */
public final class QueueNumberRows {
  private static final SqlStatement INSERT = SqlStatement.load("task/row/queue_insert.sql");
  private static final SqlStatement FIND = SqlStatement.load("task/row/queue_find.sql");
  private static final SqlStatement TAKE_BACK = SqlStatement.load("task/row/queue_take_back.sql");
  private static final SqlStatement RESTORE = SqlStatement.load("task/row/queue_restore.sql");
  private static final SqlStatement RETIRE = SqlStatement.load("task/row/queue_retire.sql");
  private static final SqlStatement RETIRED = SqlStatement.load("task/row/queue_retired.sql");
  private static final SqlStatement FORGET = SqlStatement.load("task/row/queue_forget.sql");
  private static final SqlStatement MADE_BY = SqlStatement.load("task/row/queue_made_by.sql");
  private static final SqlStatement ALL = SqlStatement.load("task/row/queue_all.sql");

  private static final SqlStatement FAIR = SqlStatement.load("task/row/queue_fair.sql");
  private static final SqlStatement FAIR_INDEX = SqlStatement.load("task/row/fair_index.sql");
  private static final SqlStatement BE_FAIR = SqlStatement.load("task/row/queue_be_fair.sql");
  private static final SqlStatement TO_SHARE = SqlStatement.load("task/row/queue_to_share.sql");

  private static final int MOST_RETIRED_AT_ONCE = 1_000;

  private static final int MOST_NOTES_AT_ONCE = 1_000;

  /** With as many tasks that did not succeed no queue is retired: reading them takes too long. */
  private static final int MOST_ENDED = 200_000;

  private QueueNumberRows() {}

  /**
   * Returns the numbers of queues, and creates new ones. Leaves out queues that another open
   * transaction is creating, and those for which there is no room.
   *
   * @param maker for whom new ones are created; null for nobody in particular
   */
  public static Map<QueueName, QueueId> of(
      SqlDatabase database, Collection<QueueName> names, @Nullable QueueMaker maker) {
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
                          return of(connection, some, maker);
                        })),
            _ -> {});
    return numbers;
  }

  /**
   * Returns the numbers of queues, and creates new ones. The second statement also sees the queues
   * that others have inserted in the meantime.
   */
  public static Map<QueueName, QueueId> of(
      Connection connection, Collection<QueueName> names, @Nullable QueueMaker maker) {
    List<QueueName> sorted =
        names.stream()
            .distinct()
            .sorted(
                Comparator.comparing((QueueName name) -> name.handler().wireName())
                    .thenComparingInt(QueueName::priority))
            .toList();
    bind(TAKE_BACK.on(connection), sorted).update();
    bind(INSERT.on(connection), sorted)
        .with("maker", maker, QueueMaker::value)
        .with("most", TaskStore.MOST_QUEUES)
        .with("most_of_maker", QueueMaker.MOST_QUEUES)
        .update();
    return bind(FIND.on(connection), sorted)
        .map(row -> name(row, 2), row -> new QueueId(row.getInt(1)));
  }

  /** Retires queues that hold nothing; each statement commits by itself. Returns all retired. */
  public static RetiredQueues retire(Connection connection) {
    RESTORE.on(connection).update();
    RETIRE
        .on(connection)
        .with("least", TaskStore.FEW_QUEUES)
        .with("max_queues", MOST_RETIRED_AT_ONCE)
        .with("most_ended", MOST_ENDED)
        .update();
    Map<QueueId, Long> marks = new HashMap<>();
    long[] horizon = {0};
    RETIRED
        .on(connection)
        .each(row -> {
          marks.put(new QueueId(row.getInt(1)), row.getLong(2));
          horizon[0] = row.getLong(3);
        });
    return new RetiredQueues(marks, horizon[0]);
  }

  /** Removes queues that are still retired; returns how many. */
  public static int forget(Connection connection, RetiredQueues retired) {
    List<Map.Entry<QueueId, Long>> rows = List.copyOf(retired.marks().entrySet());
    return FORGET
        .on(connection)
        .with("ids", ColumnBatch.ints(rows, row -> row.getKey().value()))
        .with("marks", ColumnBatch.longs(rows, Map.Entry::getValue))
        .with("horizon", retired.horizon())
        .with("most_ended", MOST_ENDED)
        .update();
  }

  /** The number of queues that were created for a maker. */
  public static int madeBy(Connection connection, QueueMaker maker) {
    return MADE_BY.on(connection).with("maker", maker.value()).one(row -> row.getInt(1));
  }

  public static Map<QueueId, QueueName> all(Connection connection) {
    return ALL.on(connection).map(row -> new QueueId(row.getInt(1)), row -> name(row, 2));
  }

  /**
   * The queues that have had a task with a fairness key. Those to which transactions of
   * applications have brought the first one are marked here.
   */
  public static Set<QueueId> fair(Connection connection) {
    TO_SHARE.on(connection).with("max_notes", MOST_NOTES_AT_ONCE).update();
    return FAIR.on(connection).set(row -> new QueueId(row.getInt(1)));
  }

  /** True when tasks can be read by fairness keys. */
  public static boolean hasFairIndex(Connection connection) {
    return FAIR_INDEX.on(connection).any();
  }

  /** Notes that queues have tasks with fairness keys. */
  public static void beFair(Connection connection, Set<QueueId> queues) {
    if (!queues.isEmpty()) {
      List<QueueId> sorted =
          queues.stream().sorted(Comparator.comparingInt(QueueId::value)).toList();
      BE_FAIR.on(connection).with("ids", ColumnBatch.ints(sorted, QueueId::value)).update();
    }
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
