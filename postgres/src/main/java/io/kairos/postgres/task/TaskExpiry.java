package io.kairos.postgres.task;

import io.kairos.domain.task.TaskState;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;

/** Ends tasks that have not begun in time, in a transaction. */
final class TaskExpiry {
  private static final SqlStatement LOCK = SqlStatement.load(TaskExpiry.class, "expire_lock.sql");
  private static final String TOO_LATE = "not started by its start deadline";

  private TaskExpiry() {}

  /**
   * Ends at most so many tasks whose start deadline has passed.
   *
   * @return how many ended
   */
  static int run(Connection connection, int limit) throws SQLException {
    return TaskEnds.lockAndEnd(
        connection, LOCK.on(connection).with("max_tasks", limit), TaskState.FAILED, TOO_LATE);
  }
}
