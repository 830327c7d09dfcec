package io.kairos.engine.task.edge;

import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.queue.QueueName;
import org.jspecify.annotations.Nullable;

/**
 * A task to be scheduled, checked by the edge that received it.
 *
 * @param dueMicros the earliest instant at which it may run, microseconds since 1970
 * @param idempotency null when it may be scheduled twice
 */
public record TaskSpec(
    QueueName queue, long dueMicros, TaskDetails details, @Nullable TaskIdempotency idempotency) {}
