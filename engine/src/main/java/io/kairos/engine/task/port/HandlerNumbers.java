package io.kairos.engine.task.port;

import io.kairos.domain.task.TaskHandler;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How many tasks of a handler are where. Nothing is counted beyond {@link #MOST_COUNTED}: waiting
 * ones and paused ones in each queue, dead and failed ones of all handlers together.
 *
 * @param waiting new ones and retries
 * @param enqueued on the queues of nodes
 * @param processing performed by workers
 * @param blocked behind others of their ordering key
 * @param paused held back with their collection
 * @param dead attempts used up; can be put back
 * @param failed for good, by their worker's word; can be put back
 * @param askedAt when a worker last asked for its tasks, to some seconds; null for never
 */
public record HandlerNumbers(
    TaskHandler handler,
    int waiting,
    int enqueued,
    int processing,
    int blocked,
    int paused,
    int dead,
    int failed,
    @Nullable Instant askedAt) {
  public static final int MOST_COUNTED = 100_000;
}
