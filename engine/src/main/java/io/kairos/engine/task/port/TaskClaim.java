package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.queue.QueueId;
import org.jspecify.annotations.Nullable;

/**
 * A claim of an enqueued task for a worker.
 *
 * @param queue the task's queue
 * @param keyId the number of its ordering key; null for none
 * @param caller the caller of the API whose worker it is; null for none
 * @param isLimited true for a task that names limits
 */
public record TaskClaim(
    FencedTask enqueued,
    QueueId queue,
    String worker,
    @Nullable OrderingKeyId keyId,
    @Nullable String caller,
    boolean isLimited) {
  /** Makes a claim of a task that names no limits. */
  public TaskClaim(
      FencedTask enqueued,
      QueueId queue,
      String worker,
      @Nullable OrderingKeyId keyId,
      @Nullable String caller) {
    this(enqueued, queue, worker, keyId, caller, false);
  }

  /** Makes a claim for the worker of no caller, of a task that names no limits. */
  public TaskClaim(
      FencedTask enqueued, QueueId queue, String worker, @Nullable OrderingKeyId keyId) {
    this(enqueued, queue, worker, keyId, null, false);
  }

  /** True when other tasks have a say in it, whose row is locked for that. */
  public boolean isChecked() {
    return keyId != null || isLimited;
  }
}
