package io.kairos.engine.task.port;

import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A task on its way into the store.
 *
 * @param dueMicros microseconds since 1970
 * @param payload opaque; not copied
 * @param executionTimeout bound on one attempt; null for none
 * @param traceparent W3C trace context of whoever scheduled it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NewTask(
    TaskId id,
    QueueId queue,
    long dueMicros,
    byte[] payload,
    RetryPolicy retryPolicy,
    @Nullable Duration executionTimeout,
    @Nullable String traceparent) {}
