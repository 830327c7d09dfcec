package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.QueueId;
import org.jspecify.annotations.Nullable;

/**
 * A wish to hand an enqueued task to a worker.
 *
 * @param queue the task's
 * @param keyId the number of its ordering key; null when it has none
 */
public record Claim(FencedTask enqueued, QueueId queue, String worker, @Nullable KeyId keyId) {
  /** Of a task without a key. */
  public Claim(FencedTask enqueued, QueueId queue, String worker) {
    this(enqueued, queue, worker, null);
  }
}
