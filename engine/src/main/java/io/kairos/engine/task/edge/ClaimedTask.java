package io.kairos.engine.task.edge;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.queue.QueueName;

/**
 * A task that is claimed for a worker.
 *
 * @param attempt number of the attempt, counted from 1
 * @param dueMicros microseconds since 1970
 */
public record ClaimedTask(
    FencedTask task, QueueName queue, int attempt, long dueMicros, TaskDetails details) {}
