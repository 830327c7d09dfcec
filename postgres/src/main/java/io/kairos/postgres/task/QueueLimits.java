package io.kairos.postgres.task;

import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.task.port.operator.QueueUse;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Limits of queues. The statements that claim and end tasks keep the counts. */
final class QueueLimits {
  private static final SqlStatement TURN = SqlStatement.load("task/limit_turn.sql");
  private static final SqlStatement SET = SqlStatement.load("task/limit_set.sql");
  private static final SqlStatement REMOVE = SqlStatement.load("task/limit_remove.sql");
  private static final SqlStatement LIST = SqlStatement.load("task/limit_list.sql");
  private static final SqlStatement TRY = SqlStatement.load("task/limit_try.sql");
  private static final SqlStatement RECOUNT = SqlStatement.load("task/limit_recount.sql");

  private QueueLimits() {}

  /** Changes the limit of a queue. Needs a transaction; changes of one queue take turns. */
  static QueueUse change(
      Connection connection, QueueId queue, UnaryOperator<TaskQueueLimit> change) {
    TURN.on(connection).with("queue_id", queue.value()).execute();
    set(connection, queue, change.apply(use(connection, queue).limit()));
    return use(connection, queue);
  }

  private static QueueUse use(Connection connection, QueueId queue) {
    return list(connection).getOrDefault(queue, QueueUse.NONE);
  }

  private static int set(Connection connection, QueueId queue, TaskQueueLimit limit) {
    if (limit.isNone()) {
      return REMOVE.on(connection).with("queue_id", queue.value()).update();
    }
    return SET.on(connection)
        .with("queue_id", queue.value())
        .withOptional("max_running", limit.maxRunning())
        .withOptional("rate", limit.perSecond())
        .withOptional("burst", limit.burst())
        .update();
  }

  static Map<QueueId, QueueUse> list(Connection connection) {
    return LIST.on(connection)
        .map(
            row -> new QueueId(row.getInt(1)),
            row ->
                new QueueUse(
                    new TaskQueueLimit(
                        (Integer) row.getObject(2),
                        (Double) row.getObject(3),
                        (Integer) row.getObject(4)),
                    row.getInt(5)));
  }

  /**
   * Corrects the counts of running tasks, unless another node is doing that. Needs a transaction.
   */
  static int recount(Connection connection) {
    boolean isMine = TRY.on(connection).one(row -> row.getBoolean(1));
    return isMine ? RECOUNT.on(connection).update() : 0;
  }
}
