package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * All that whoever schedules a task says of it, beside its queue and its due time. Made once, at
 * the door, and held by the task in all its forms: on its way into the store, on a queue, in the
 * hands of a worker, shown to an operator, and as the target of a schedule.
 *
 * @param payload opaque; not copied, and never changed by anybody
 * @param retryPolicy null for the handler's
 * @param executionTimeout bound on one attempt; null for none
 * @param key what the task must not overtake others of; null for nothing
 * @param collection null for none
 * @param startDeadlineMicros no attempt begins after it, microseconds since 1970; null for no such
 *     bound
 * @param traceContext of whoever scheduled the task; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TaskDetails(
    byte[] payload,
    @Nullable RetryPolicy retryPolicy,
    @Nullable Duration executionTimeout,
    @Nullable OrderingKey key,
    @Nullable CollectionName collection,
    @Nullable Long startDeadlineMicros,
    @Nullable TraceContext traceContext) {
  public TaskDetails {
    requireNonNull(payload, "payload");
  }

  /** A payload and nothing else. */
  public static TaskDetails of(byte[] payload) {
    return new TaskDetails(payload, null, null, null, null, null, null);
  }

  /** Length of the payload. */
  public int bytes() {
    return payload.length;
  }

  public TaskDetails withPayload(byte[] other) {
    return new TaskDetails(
        other, retryPolicy, executionTimeout, key, collection, startDeadlineMicros, traceContext);
  }

  public TaskDetails withRetryPolicy(@Nullable RetryPolicy other) {
    return new TaskDetails(
        payload, other, executionTimeout, key, collection, startDeadlineMicros, traceContext);
  }

  public TaskDetails withExecutionTimeout(@Nullable Duration other) {
    return new TaskDetails(
        payload, retryPolicy, other, key, collection, startDeadlineMicros, traceContext);
  }

  public TaskDetails withKey(@Nullable OrderingKey other) {
    return new TaskDetails(
        payload,
        retryPolicy,
        executionTimeout,
        other,
        collection,
        startDeadlineMicros,
        traceContext);
  }

  public TaskDetails withCollection(@Nullable CollectionName other) {
    return new TaskDetails(
        payload, retryPolicy, executionTimeout, key, other, startDeadlineMicros, traceContext);
  }

  public TaskDetails withStartDeadline(@Nullable Long otherMicros) {
    return new TaskDetails(
        payload, retryPolicy, executionTimeout, key, collection, otherMicros, traceContext);
  }

  public TaskDetails withTraceContext(@Nullable TraceContext other) {
    return new TaskDetails(
        payload, retryPolicy, executionTimeout, key, collection, startDeadlineMicros, other);
  }
}
