package io.kairos.postgres.task;

import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.KeyState;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ends tasks that nobody performs, in a transaction that has locked them. */
final class Ending {
  private static final Sql END = Sql.load(Ending.class, "end.sql");

  private Ending() {}

  /**
   * Ends the tasks that a statement locks, and wakes those behind them.
   *
   * @param lock returns ids and keys
   * @return how many
   */
  static int lockAndEnd(Connection connection, Call lock, TaskState state, String error)
      throws SQLException {
    List<TaskId> tasks = new ArrayList<>();
    Map<TaskId, KeyId> keyed = new LinkedHashMap<>();
    try (ResultSet rows = lock.query()) {
      while (rows.next()) {
        TaskId id = new TaskId(Columns.uuid(rows, 1));
        KeyId key = KeyRows.key(rows, 2);
        tasks.add(id);
        if (key != null) {
          keyed.put(id, key);
        }
      }
    }
    end(connection, tasks, keyed, state, error);
    return tasks.size();
  }

  /**
   * Ends tasks, and wakes those behind them.
   *
   * @param keyed the keys of those that have one, which are locked before anything ends
   * @param error noted as that of their last attempt
   */
  static void end(
      Connection connection,
      List<TaskId> tasks,
      Map<TaskId, KeyId> keyed,
      TaskState state,
      @Nullable String error)
      throws SQLException {
    if (keyed.isEmpty()) {
      end(connection, tasks, state, error);
      return;
    }
    Keys keys = Keys.lock(connection, keyed.values());
    end(connection, tasks, state, error);
    keyed.forEach((task, key) -> keys.note(key, task, KeyState.Change.LEFT));
    keys.write();
  }

  /**
   * Their keys, if they have any, are locked too.
   *
   * @param error noted as that of their last attempt
   */
  static void end(
      Connection connection, List<TaskId> tasks, TaskState state, @Nullable String error)
      throws SQLException {
    if (tasks.isEmpty()) {
      return;
    }
    UUID[] ids = tasks.stream().map(TaskId::value).toArray(UUID[]::new);
    try (Call call =
        END.on(connection)
            .with("ids", BinaryArray.uuids(ids))
            .with("state", States.code(state))
            .with("error", error)) {
      call.update();
    }
  }
}
