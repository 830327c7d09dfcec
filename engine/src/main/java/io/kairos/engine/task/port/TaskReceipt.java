package io.kairos.engine.task.port;

import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * The stored task for an arrived one.
 *
 * @param duplicate true when the task had been stored before, under this id
 * @param onQueue true when the task is enqueued on this node, with fence 1
 * @param keyId the number of its ordering key; null when it has none or is not enqueued
 */
public record TaskReceipt(
    TaskId id, boolean duplicate, boolean onQueue, @Nullable OrderingKeyId keyId) {
  /** The receipt of a new task without an ordering key. */
  public static TaskReceipt stored(TaskId id, boolean onQueue) {
    return new TaskReceipt(id, false, onQueue, null);
  }

  /** The receipt that names the task which had been stored before. */
  public static TaskReceipt duplicate(TaskId former) {
    return new TaskReceipt(former, true, false, null);
  }
}
