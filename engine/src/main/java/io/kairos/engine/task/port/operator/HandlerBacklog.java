package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.queue.TaskHandler;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a handler has not done, over all nodes, for metrics.
 *
 * @param due tasks whose time has come and that no worker has; of those that wait, at most {@link
 *     #MOST_COUNTED} of each queue are counted
 * @param oldest how long ago the time of the oldest of them came, by the store's clock; zero when
 *     none is due
 * @param running tasks that workers perform
 * @param dead tasks whose attempts were used up, of at most {@link #MOST_COUNTED} of all handlers
 * @param failed tasks whose worker reported a failure for good, of as many
 * @param isPaused true while the whole handler is paused or its tasks are dropped
 * @param askedAt when a worker last asked for tasks of the handler, accurate to a few seconds; null
 *     for never
 */
public record HandlerBacklog(
    TaskHandler handler,
    int due,
    Duration oldest,
    int running,
    int dead,
    int failed,
    boolean isPaused,
    @Nullable Instant askedAt) {
  public static final int MOST_COUNTED = 10_000;
}
