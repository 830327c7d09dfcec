package io.kairos.client.task;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of a change of many tasks, or of a count of them.
 *
 * @param count number of tasks that were changed, or would be; may be 0 although more match
 * @param next id for {@link io.kairos.client.TaskFilter#after} of the next call; null when no more
 *     tasks match
 * @param at the time of the answer, for {@link io.kairos.client.TaskFilter#acceptedUntil}
 */
public record ChangedTasks(long count, @Nullable TaskId next, Instant at) {}
