package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.TaskDetails;
import org.jspecify.annotations.Nullable;

/**
 * A task on its queue, in the memory of the node that enqueued it.
 *
 * @param dueMicros when it was scheduled for
 * @param triggerMicros when it may be handed out: the due time, or that of its retry
 * @param attempt attempts that were begun so far
 * @param keyId the number of its ordering key; null when it has none
 */
public record EnqueuedTask(
    FencedTask task,
    QueueId queue,
    long dueMicros,
    long triggerMicros,
    int attempt,
    @Nullable KeyId keyId,
    TaskDetails details) {
  private static final long FIRST_FENCE = 1;

  /**
   * A new task that was stored as enqueued.
   *
   * @param keyId as its receipt says
   */
  public static EnqueuedTask of(NewTask task, @Nullable KeyId keyId) {
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
