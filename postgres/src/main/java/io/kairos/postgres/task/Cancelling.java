package io.kairos.postgres.task;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.CancelResult;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Cancels one task in a transaction. The row is locked first, so nothing can come between looking
 * and acting, and a task that has just ended is found in the history.
 */
final class Cancelling {
  private static final Sql LOCK = Sql.load(Cancelling.class, "cancel_lock.sql");
  private static final Sql WAITING = Sql.load(Cancelling.class, "cancel_waiting.sql");
  private static final Sql REQUEST = Sql.load(Cancelling.class, "cancel_request.sql");
  private static final Sql FINISHED = Sql.load(Cancelling.class, "finished.sql");

  private Cancelling() {}

  static CancelResult run(Connection connection, TaskId id) throws SQLException {
    Optional<TaskState> live = state(connection, LOCK, id);
    if (live.isEmpty()) {
      return state(connection, FINISHED, id).isPresent()
          ? CancelResult.TOO_LATE
          : CancelResult.UNKNOWN;
    }
    if (live.get() == TaskState.PROCESSING) {
      update(connection, REQUEST, id);
      return CancelResult.REQUESTED;
    }
    update(connection, WAITING, id);
    return CancelResult.CANCELLED;
  }

  private static Optional<TaskState> state(Connection connection, Sql sql, TaskId id)
      throws SQLException {
    try (Call call = sql.on(connection).with("id", id.value());
        ResultSet row = call.query()) {
      return row.next() ? Optional.of(States.of(Columns.text(row, 1))) : Optional.empty();
    }
  }

  private static void update(Connection connection, Sql sql, TaskId id) throws SQLException {
    try (Call call = sql.on(connection).with("id", id.value())) {
      call.update();
    }
  }
}
