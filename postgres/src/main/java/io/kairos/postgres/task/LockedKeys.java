package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyState;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.postgres.task.EnqueuedRows.Woken;
import io.kairos.postgres.task.KeyRows.Locked;
import java.sql.Connection;
import java.util.Collection;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The ordering keys of tasks that a transaction is about to change. A transaction that ends,
 * cancels or moves tasks with keys locks the tasks first, then their keys by this class. After that
 * it changes the tasks and notes each change here; {@link #write} then wakes the tasks that may
 * begin. Rows of limits and of handlers are locked after keys.
 */
record LockedKeys(Connection connection, SortedMap<OrderingKeyId, Locked> keys) {
  /** Locks keys, and waits for the locks. */
  static LockedKeys lock(Connection connection, Collection<OrderingKeyId> ids) {
    return new LockedKeys(connection, KeyRows.lock(connection, ids));
  }

  /** Notes what has happened to a task of a key. */
  void note(OrderingKeyId id, TaskId task, OrderingKeyState.Change what) {
    Locked key = requireNonNull(keys.get(id), "a key that has tasks was pruned");
    keys.put(id, key.with(key.state().after(what, task, key.policy())));
  }

  /**
   * Writes what was noted, and wakes the tasks that may begin now.
   *
   * @param onto the queues on which tasks of ordered keys are put at once; null for none
   */
  Woken write(@Nullable EnqueueRequest onto) {
    KeyRows.update(connection, keys);
    return KeyRows.promote(connection, keys, onto);
  }
}
