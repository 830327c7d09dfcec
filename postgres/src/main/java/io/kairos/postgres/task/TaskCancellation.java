package io.kairos.postgres.task;

import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cancels one task in a transaction. The row is locked first, so that nothing changes it between
 * the check and the change, and a task that has just ended is found in the history.
 */
final class TaskCancellation {
  private static final SqlStatement LOCK = SqlStatement.load("task/cancel_lock.sql");
  private static final SqlStatement REQUEST = SqlStatement.load("task/cancel_request.sql");
  private static final SqlStatement FINISHED = SqlStatement.load("task/finished.sql");

  private TaskCancellation() {}

  static CancelResult run(Connection connection, TaskId id) {
    Optional<Found> live = live(connection, id);
    if (live.isEmpty()) {
      boolean hasEnded = FINISHED.on(connection).with("id", id.value()).any();
      return hasEnded ? CancelResult.TOO_LATE : CancelResult.UNKNOWN;
    }
    if (live.get().state() == TaskState.PROCESSING) {
      REQUEST.on(connection).with("ids", ColumnBatch.uuids(List.of(id), TaskId::value)).update();
      return CancelResult.REQUESTED;
    }
    OrderingKeyId key = live.get().key();
    TaskEnds.end(
        connection,
        List.of(id),
        key == null ? Map.of() : Map.of(id, key),
        TaskState.CANCELLED,
        null);
    return CancelResult.CANCELLED;
  }

  private record Found(TaskState state, @Nullable OrderingKeyId key) {}

  private static Optional<Found> live(Connection connection, TaskId id) {
    return LOCK.on(connection)
        .with("id", id.value())
        .optional(
            row -> new Found(TaskStateColumn.of(NonNullColumns.text(row, 1)), KeyRows.key(row, 2)));
  }
}
