package io.kairos.postgres.task;

import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.CancelResult;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cancels one task in a transaction. The row is locked first, so nothing can come between looking
 * and acting, and a task that has just ended is found in the history.
 */
final class Cancelling {
  private static final Sql LOCK = Sql.load(Cancelling.class, "cancel_lock.sql");
  private static final Sql REQUEST = Sql.load(Cancelling.class, "cancel_request.sql");
  private static final Sql FINISHED = Sql.load(Cancelling.class, "finished.sql");

  private Cancelling() {}

  static CancelResult run(Connection connection, TaskId id) throws SQLException {
    Optional<Found> live = live(connection, id);
    if (live.isEmpty()) {
      return hasEnded(connection, id) ? CancelResult.TOO_LATE : CancelResult.UNKNOWN;
    }
    if (live.get().state() == TaskState.PROCESSING) {
      request(connection, id);
      return CancelResult.REQUESTED;
    }
    KeyId key = live.get().key();
    Ending.end(
        connection,
        List.of(id),
        key == null ? Map.of() : Map.of(id, key),
        TaskState.CANCELLED,
        null);
    return CancelResult.CANCELLED;
  }

  private record Found(TaskState state, @Nullable KeyId key) {}

  private static Optional<Found> live(Connection connection, TaskId id) throws SQLException {
    try (Call call = LOCK.on(connection).with("id", id.value());
        ResultSet row = call.query()) {
      return row.next()
          ? Optional.of(new Found(States.of(Columns.text(row, 1)), KeyRows.key(row, 2)))
          : Optional.empty();
    }
  }

  private static boolean hasEnded(Connection connection, TaskId id) throws SQLException {
    try (Call call = FINISHED.on(connection).with("id", id.value());
        ResultSet row = call.query()) {
      return row.next();
    }
  }

  private static void request(Connection connection, TaskId id) throws SQLException {
    try (Call call = REQUEST.on(connection).with("id", id.value())) {
      call.update();
    }
  }
}
