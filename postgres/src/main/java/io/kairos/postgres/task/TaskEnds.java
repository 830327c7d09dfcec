package io.kairos.postgres.task;

import io.kairos.domain.task.ErrorFingerprint;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyState;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ends tasks that no worker performs, in a transaction that has locked them. */
final class TaskEnds {
  private static final SqlStatement END = SqlStatement.load("task/end.sql");
  private static final SqlStatement FORGET = SqlStatement.load("task/edge_forget.sql");

  private TaskEnds() {}

  /**
   * Ends the tasks that a statement locks, and wakes the tasks behind them.
   *
   * @param lock a statement that returns ids and keys
   * @return how many tasks ended
   */
  static int lockAndEnd(Connection connection, SqlCall lock, TaskState state, String error) {
    List<TaskId> tasks = new ArrayList<>();
    Map<TaskId, OrderingKeyId> keyed = new LinkedHashMap<>();
    lock.each(row -> {
      TaskId id = new TaskId(NonNullColumns.uuid(row, 1));
      OrderingKeyId key = KeyRows.key(row, 2);
      tasks.add(id);
      if (key != null) {
        keyed.put(id, key);
      }
    });
    end(connection, tasks, keyed, state, error);
    return tasks.size();
  }

  /**
   * Ends tasks, and wakes the tasks behind them.
   *
   * @param keyed the keys of tasks that have one; they are locked before any task ends
   * @param error noted as the error of the last attempt; null for none
   */
  static void end(
      Connection connection,
      List<TaskId> tasks,
      Map<TaskId, OrderingKeyId> keyed,
      TaskState state,
      @Nullable String error) {
    if (keyed.isEmpty()) {
      end(connection, tasks, state, error);
      return;
    }
    LockedKeys keys = LockedKeys.lock(connection, keyed.values());
    end(connection, tasks, state, error);
    keyed.forEach((task, key) -> keys.note(key, task, OrderingKeyState.Change.LEFT));
    keys.write(null);
  }

  /**
   * Ends tasks. The caller has locked their keys, if they have any.
   *
   * @param error noted as the error of the last attempt; null for none
   */
  static void end(
      Connection connection, List<TaskId> tasks, TaskState state, @Nullable String error) {
    if (tasks.isEmpty()) {
      return;
    }
    BinaryArray ids = ColumnBatch.uuids(tasks, TaskId::value);
    int awaiting =
        END.on(connection)
            .with("ids", ids)
            .with("state", TaskStateColumn.code(state))
            .with("error", error)
            .with("fingerprint", error == null ? null : ErrorFingerprint.of("", error))
            .one(row -> row.getInt(1));
    if (awaiting > 0) {
      // in the order in which peers that end predecessors lock these rows
      BinaryArray sorted = ColumnBatch.uuids(tasks.stream().sorted().toList(), TaskId::value);
      FORGET.on(connection).with("ids", sorted).update();
    }
  }
}
