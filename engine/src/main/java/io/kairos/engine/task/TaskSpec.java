package io.kairos.engine.task;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.Idempotency;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A task that somebody wants to have done; checked by the edge that took it.
 *
 * @param dueMicros the earliest instant at which it may run, microseconds since 1970
 * @param payload opaque; not copied
 * @param retryPolicy null for the handler's
 * @param executionTimeout bound on one attempt; null for none
 * @param traceparent W3C trace context; null for none
 * @param key what it must not overtake others of; null for nothing
 * @param collection null for none
 * @param startDeadlineMicros no attempt begins after it; null for no such bound
 * @param idempotency null when it may be scheduled twice
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TaskSpec(
    QueueName queue,
    long dueMicros,
    byte[] payload,
    @Nullable RetryPolicy retryPolicy,
    @Nullable Duration executionTimeout,
    @Nullable String traceparent,
    @Nullable OrderingKey key,
    @Nullable CollectionName collection,
    @Nullable Long startDeadlineMicros,
    @Nullable Idempotency idempotency) {
  /** One with nothing but what every task has. */
  public TaskSpec(
      QueueName queue,
      long dueMicros,
      byte[] payload,
      @Nullable RetryPolicy retryPolicy,
      @Nullable Duration executionTimeout,
      @Nullable String traceparent) {
    this(
        queue,
        dueMicros,
        payload,
        retryPolicy,
        executionTimeout,
        traceparent,
        null,
        null,
        null,
        null);
  }
}
