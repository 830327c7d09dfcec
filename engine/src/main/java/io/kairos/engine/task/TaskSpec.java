package io.kairos.engine.task;

import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A task that somebody wants to have done; checked by the edge that took it.
 *
 * @param dueMicros the earliest instant at which it may run, microseconds since 1970
 * @param payload opaque; not copied
 * @param executionTimeout bound on one attempt; null for none
 * @param traceparent W3C trace context; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TaskSpec(
    QueueName queue,
    long dueMicros,
    byte[] payload,
    RetryPolicy retryPolicy,
    @Nullable Duration executionTimeout,
    @Nullable String traceparent) {}
