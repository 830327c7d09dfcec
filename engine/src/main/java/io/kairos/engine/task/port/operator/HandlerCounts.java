package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.queue.TaskHandler;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of a handler's tasks by state. Counting stops at {@link #MOST_COUNTED}: for waiting and
 * for paused tasks in each queue, for dead and failed tasks over all handlers.
 *
 * @param waiting new tasks and retries
 * @param enqueued tasks on the queues of nodes
 * @param processing tasks that workers perform
 * @param blocked tasks behind others of their ordering key
 * @param paused tasks held back with their collection
 * @param dead tasks whose attempts were used up; they can be redriven
 * @param failed tasks whose worker reported a failure for good; they can be redriven
 * @param askedAt when a worker last asked for tasks of the handler, accurate to a few seconds; null
 *     for never
 * @param oldestDue how long ago the time of the oldest task came that no worker has, by the store's
 *     clock; null when none is due. Of a retry on a node's queue it is not known.
 */
public record HandlerCounts(
    TaskHandler handler,
    int waiting,
    int enqueued,
    int processing,
    int blocked,
    int paused,
    int dead,
    int failed,
    @Nullable Instant askedAt,
    @Nullable Duration oldestDue) {
  public static final int MOST_COUNTED = 100_000;
}
