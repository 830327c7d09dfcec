package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.NewTask;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import io.kairos.postgres.task.KeyRows.Earliest;
import io.kairos.postgres.task.KeyRows.Locked;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Finds for new tasks with ordering keys the numbers of their keys, and which of them are to wait
 * as blocked. That saves a way through a queue only to be refused there: who may begin is decided
 * at the claim. The keys stay locked, so that no end of another task is overlooked.
 */
final class KeyPlacing {
  private static final Sql INSERT = Sql.load(KeyPlacing.class, "key_insert.sql");
  private static final Sql FIND = Sql.load(KeyPlacing.class, "key_find.sql");

  /** A key can be pruned between finding and locking it; hardly twice. */
  private static final int TRIES = 3;

  private KeyPlacing() {}

  /** Where a new task stands. */
  record Place(KeyId key, boolean blocked) {}

  /**
   * @param requests each in any order; of one key, a request comes before the next
   */
  static Map<TaskId, Place> of(Connection connection, List<List<NewTask>> requests)
      throws SQLException {
    List<NewTask> keyed = new ArrayList<>();
    for (List<NewTask> request : requests) {
      request.stream()
          .filter(task -> task.details().key() != null)
          .sorted(Comparator.comparingLong(NewTask::dueMicros).thenComparing(NewTask::id))
          .forEach(keyed::add);
    }
    if (keyed.isEmpty()) {
      return Map.of();
    }
    for (int attempt = 0; attempt < TRIES; attempt++) {
      try (Call call = bind(INSERT.on(connection), keyed)) {
        call.update();
      }
      Map<TaskId, KeyId> keys = find(connection, keyed);
      SortedMap<KeyId, Locked> locked = KeyRows.lock(connection, keys.values());
      if (keys.size() == keyed.size() && locked.keySet().containsAll(keys.values())) {
        return places(connection, keyed, keys, locked);
      }
    }
    throw new StoreUnavailable("storing tasks failed: their keys are being pruned");
  }

  private static Map<TaskId, KeyId> find(Connection connection, List<NewTask> tasks)
      throws SQLException {
    Map<TaskId, KeyId> keys = new HashMap<>();
    try (Call call = bind(FIND.on(connection), tasks);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        keys.put(tasks.get(rows.getInt(1) - 1).id(), new KeyId(rows.getLong(2)));
      }
    }
    return keys;
  }

  private static Call bind(Call call, List<NewTask> tasks) throws SQLException {
    int[] queues = tasks.stream().mapToInt(task -> task.queue().value()).toArray();
    byte[][] keys =
        tasks.stream()
            .map(task ->
                requireNonNull(task.details().key()).value().getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    return call.with("queue_ids", BinaryArray.ints(queues)).with("keys", BinaryArray.texts(keys));
  }

  private static Map<TaskId, Place> places(
      Connection connection,
      List<NewTask> inOrder,
      Map<TaskId, KeyId> keys,
      SortedMap<KeyId, Locked> locked)
      throws SQLException {
    Map<KeyId, Earliest> earliest = KeyRows.earliest(connection, locked.keySet());
    Map<TaskId, Place> places = new HashMap<>();
    for (NewTask task : inOrder) {
      KeyId id = requireNonNull(keys.get(task.id()));
      Locked key = requireNonNull(locked.get(id));
      Earliest first = earliest.get(id);
      boolean isFirst = first == null || !first.isBefore(task.dueMicros(), task.id());
      if (isFirst) {
        earliest.put(id, new Earliest(task.dueMicros(), task.id()));
      }
      places.put(task.id(), new Place(id, key.state().blocksNew(isFirst, key.policy())));
    }
    return places;
  }
}
