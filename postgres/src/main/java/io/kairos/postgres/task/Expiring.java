package io.kairos.postgres.task;

import io.kairos.domain.task.TaskState;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/** Ends tasks that have not begun in time, in a transaction. */
final class Expiring {
  private static final Sql LOCK = Sql.load(Expiring.class, "expire_lock.sql");
  private static final String TOO_LATE = "not started by its start deadline";

  private Expiring() {}

  /** Says how many. */
  static int run(Connection connection, int limit) throws SQLException {
    try (Call lock = LOCK.on(connection).with("max_tasks", limit)) {
      return Ending.lockAndEnd(connection, lock, TaskState.FAILED, TOO_LATE);
    }
  }
}
