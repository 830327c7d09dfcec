package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.limit.LimitName;
import org.jspecify.annotations.Nullable;

/**
 * The use of a limit by the tasks that name one name.
 *
 * @param running tasks that workers perform
 * @param waiting due tasks that wait for it, up to {@link KeyLimitOperations#MOST_COUNTED}
 * @param tokens how many could begin at once by the rate; null without a rate
 */
public record LimitNameUse(LimitName name, long running, long waiting, @Nullable Double tokens) {}
