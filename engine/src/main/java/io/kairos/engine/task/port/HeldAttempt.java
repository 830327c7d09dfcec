package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskState;

/**
 * A held task.
 *
 * @param state enqueued or processing
 * @param number number of attempts begun so far
 * @param isOverTime true when the attempt has taken longer than the task's execution timeout, by
 *     both clocks of {@link TaskStepStore#lapsed}; false from {@link TaskStepStore#attempts}
 */
public record HeldAttempt(
    FencedTask task,
    TaskState state,
    int number,
    RetryPolicy retryPolicy,
    String holder,
    boolean isOverTime) {}
