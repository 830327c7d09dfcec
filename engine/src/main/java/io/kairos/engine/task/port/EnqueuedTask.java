package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.queue.QueueId;
import org.jspecify.annotations.Nullable;

/**
 * A task on its queue, in the memory of the node that enqueued it.
 *
 * @param dueMicros its due time, microseconds since 1970
 * @param triggerMicros when it may be handed out, microseconds since 1970: its due time, or the
 *     time of its retry
 * @param attempt number of attempts begun so far
 * @param keyId the number of its ordering key; null for none
 */
public record EnqueuedTask(
    FencedTask task,
    QueueId queue,
    long dueMicros,
    long triggerMicros,
    int attempt,
    @Nullable OrderingKeyId keyId,
    TaskDetails details) {
  private static final long FIRST_FENCE = 1;

  /**
   * A new task that was stored as enqueued.
   *
   * @param keyId the key id of its receipt
   */
  public static EnqueuedTask of(NewTask task, @Nullable OrderingKeyId keyId) {
    return new EnqueuedTask(
        new FencedTask(task.id(), FIRST_FENCE),
        task.queue(),
        task.dueMicros(),
        task.dueMicros(),
        0,
        keyId,
        task.details());
  }
}
