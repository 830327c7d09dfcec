package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.NewTask;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.KeyRows.Earliest;
import io.kairos.postgres.task.KeyRows.Locked;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * Finds the numbers of the ordering keys of new tasks, and decides which of these tasks begin as
 * blocked. A blocked task stays off its queue, where a claim would refuse it: the claim alone
 * decides which task may begin. The keys stay locked, so that no end of another task is overlooked.
 */
final class KeyPlacement {
  private static final SqlStatement INSERT = SqlStatement.load("task/key_insert.sql");
  private static final SqlStatement FIND = SqlStatement.load("task/key_find.sql");

  /**
   * A key can be deleted between the statement that finds it and the one that locks it. That is
   * tried again.
   */
  private static final int TRIES = 3;

  private KeyPlacement() {}

  /** The ordering key of a new task, and true if the task begins as blocked. */
  record KeyPosition(OrderingKeyId key, boolean blocked) {}

  /**
   * Returns the place of each task that has a key.
   *
   * @param requests in the order in which tasks with the same key follow each other; the tasks of
   *     one request are in any order
   * @param awaiting tasks that take no part in the order of their keys yet
   */
  static Map<TaskId, KeyPosition> of(
      Connection connection, List<List<NewTask>> requests, Set<TaskId> awaiting) {
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
      bind(INSERT.on(connection), keyed).update();
      Map<TaskId, OrderingKeyId> keys = find(connection, keyed);
      SortedMap<OrderingKeyId, Locked> locked = KeyRows.lock(connection, keys.values());
      if (keys.size() == keyed.size() && locked.keySet().containsAll(keys.values())) {
        return places(connection, keyed, keys, locked, awaiting);
      }
    }
    throw new StoreUnavailable("storing tasks failed: their keys are being pruned");
  }

  private static Map<TaskId, OrderingKeyId> find(Connection connection, List<NewTask> tasks) {
    return bind(FIND.on(connection), tasks)
        .map(row -> tasks.get(row.getInt(1) - 1).id(), row -> new OrderingKeyId(row.getLong(2)));
  }

  private static SqlCall bind(SqlCall call, List<NewTask> tasks) {
    return call.with("queue_ids", ColumnBatch.ints(tasks, task -> task.queue().value()))
        .with(
            "keys", ColumnBatch.texts(tasks, task -> requireNonNull(task.details().key()).value()));
  }

  private static Map<TaskId, KeyPosition> places(
      Connection connection,
      List<NewTask> inOrder,
      Map<TaskId, OrderingKeyId> keys,
      SortedMap<OrderingKeyId, Locked> locked,
      Set<TaskId> awaiting) {
    Map<OrderingKeyId, Earliest> earliest = KeyRows.earliest(connection, locked.keySet());
    Map<TaskId, KeyPosition> places = new HashMap<>();
    for (NewTask task : inOrder) {
      OrderingKeyId id = requireNonNull(keys.get(task.id()));
      Locked key = requireNonNull(locked.get(id));
      if (awaiting.contains(task.id())) {
        places.put(task.id(), new KeyPosition(id, false));
        continue;
      }
      Earliest first = earliest.get(id);
      boolean isFirst = first == null || !first.isBefore(task.dueMicros(), task.id());
      if (isFirst) {
        earliest.put(id, new Earliest(task.dueMicros(), task.id()));
      }
      places.put(task.id(), new KeyPosition(id, key.state().blocksNew(isFirst, key.policy())));
    }
    return places;
  }
}
