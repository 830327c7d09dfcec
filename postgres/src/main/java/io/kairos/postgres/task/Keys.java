package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.KeyState;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.postgres.task.KeyRows.Locked;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The ordering keys of tasks that a transaction is about to change. Whatever ends, cancels or moves
 * tasks with keys locks the tasks first, then their keys by this, then changes the tasks and notes
 * what has happened; at last {@link #write} wakes those that may begin now. Rows of limits and of
 * handlers are locked after keys.
 */
final class Keys {
  private final Connection connection;
  private final SortedMap<KeyId, Locked> keys;

  private Keys(Connection connection, SortedMap<KeyId, Locked> keys) {
    this.connection = connection;
    this.keys = keys;
  }

  /** Waits for the locks. */
  static Keys lock(Connection connection, Collection<KeyId> ids) throws SQLException {
    return new Keys(connection, KeyRows.lock(connection, ids));
  }

  /** What has happened to a task of a key. */
  void note(KeyId id, TaskId task, KeyState.Change what) {
    Locked key = requireNonNull(keys.get(id), "a key that has tasks was pruned");
    keys.put(id, key.with(key.state().after(what, task, key.policy())));
  }

  /**
   * Writes what was noted, and wakes the tasks that may begin now.
   *
   * @return the queues on which they wait
   */
  Set<QueueId> write() throws SQLException {
    return write(null).queues();
  }

  /**
   * The same.
   *
   * @param onto where those of ordered keys are enqueued at once; null for nowhere
   */
  KeyRows.Promoted write(@Nullable EnqueueRequest onto) throws SQLException {
    KeyRows.update(connection, keys);
    return KeyRows.promote(connection, keys, onto);
  }
}
