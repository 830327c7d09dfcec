package io.kairos.engine.task.port;

import io.kairos.domain.task.TaskIdempotency;
import org.jspecify.annotations.Nullable;

/**
 * A task to be stored.
 *
 * @param onQueue true to store it as enqueued, in the memory of the node that stores it, unless it
 *     is blocked or paused
 * @param idempotency null when it may be stored twice
 */
public record ArrivingTask(NewTask task, boolean onQueue, @Nullable TaskIdempotency idempotency) {
  /** A task that may be stored twice. */
  public static ArrivingTask withoutIdempotency(NewTask task, boolean onQueue) {
    return new ArrivingTask(task, onQueue, null);
  }
}
