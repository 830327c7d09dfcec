package io.kairos.engine.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskDetails;

/**
 * A task that is claimed for a worker.
 *
 * @param attempt counted from 1
 */
public record Work(
    FencedTask task, QueueName queue, int attempt, long dueMicros, TaskDetails details) {}
