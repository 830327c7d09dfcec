package io.kairos.postgres.task;

import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.KeyState;
import io.kairos.domain.task.TaskId;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Ends tasks that have not begun in time, in a transaction. */
final class Expiring {
  private static final Sql LOCK = Sql.load(Expiring.class, "expire_lock.sql");
  private static final Sql EXPIRE = Sql.load(Expiring.class, "expire.sql");

  private Expiring() {}

  /** Says how many. */
  static int run(Connection connection, int limit) throws SQLException {
    List<UUID> late = new ArrayList<>();
    Map<TaskId, KeyId> keyed = new HashMap<>();
    try (Call call = LOCK.on(connection).with("max_tasks", limit);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        UUID id = Columns.uuid(rows, 1);
        KeyId key = KeyRows.key(rows, 2);
        late.add(id);
        if (key != null) {
          keyed.put(new TaskId(id), key);
        }
      }
    }
    if (keyed.isEmpty()) {
      expire(connection, late);
    } else {
      Keys keys = Keys.lock(connection, keyed.values());
      expire(connection, late);
      keyed.forEach((task, key) -> keys.note(key, task, KeyState.Change.LEFT));
      keys.write();
    }
    return late.size();
  }

  private static void expire(Connection connection, List<UUID> late) throws SQLException {
    if (!late.isEmpty()) {
      try (Call call =
              EXPIRE.on(connection).with("ids", BinaryArray.uuids(late.toArray(UUID[]::new)));
          ResultSet _ = call.query()) {
        // It writes; the number is known.
      }
    }
  }
}
