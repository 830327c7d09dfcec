package io.kairos.engine.task;

import io.kairos.domain.task.Idempotency;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskDetails;
import org.jspecify.annotations.Nullable;

/**
 * A task that somebody wants to have done; checked by the edge that took it.
 *
 * @param dueMicros the earliest instant at which it may run, microseconds since 1970
 * @param idempotency null when it may be scheduled twice
 */
public record TaskSpec(
    QueueName queue, long dueMicros, TaskDetails details, @Nullable Idempotency idempotency) {}
