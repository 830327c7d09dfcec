package io.kairos.engine.task.port;

import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * Which task stands for one that arrived.
 *
 * @param duplicate it had been stored before, under this id
 * @param onQueue it is on its queue, in the memory of this node, with fence 1
 * @param keyId the number of its ordering key; null when it has none, or is not on its queue
 */
public record Receipt(TaskId id, boolean duplicate, boolean onQueue, @Nullable KeyId keyId) {
  /** Of a task without an ordering key. */
  public Receipt(TaskId id, boolean duplicate, boolean onQueue) {
    this(id, duplicate, onQueue, null);
  }
}
