package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.TaskId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of a change of many tasks, or of a dry run of one.
 *
 * @param count number of tasks that were changed, or would be
 * @param next where to go on, for {@link ChangeRequest.Filter#after}; null when no more tasks can
 *     match
 * @param at the store's time
 */
public record ChangeResult(int count, @Nullable TaskId next, Instant at) {}
