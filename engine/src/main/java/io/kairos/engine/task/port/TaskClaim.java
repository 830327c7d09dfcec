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
 */
public record TaskClaim(
    FencedTask enqueued,
    QueueId queue,
    String worker,
    @Nullable OrderingKeyId keyId,
    @Nullable String caller) {
  /** Makes a claim for the worker of no caller. */
  public TaskClaim(
      FencedTask enqueued, QueueId queue, String worker, @Nullable OrderingKeyId keyId) {
    this(enqueued, queue, worker, keyId, null);
  }
}
