package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.queue.TaskQueueLimit;

/**
 * A limit by key and its use, by all names for which it holds together, up to {@link
 * KeyLimitOperations#MOST_COUNTED} of them.
 *
 * @param running tasks that workers perform
 * @param waiting due tasks that wait for it, up to {@link KeyLimitOperations#MOST_COUNTED}
 * @param names lately used names for which it holds
 */
public record KeyLimitUse(
    LimitPattern pattern, TaskQueueLimit limit, long running, long waiting, long names) {}
