package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.limit.TaskLimits;
import io.kairos.domain.task.queue.CollectionName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The details that the caller gives a task, beside its queue and its due time. Made once, where the
 * call arrives, and kept in all forms of the task: on its way into the store, on a queue, at a
 * worker, shown to an operator, and as the target of a schedule.
 *
 * @param payload opaque; not copied, and never changed
 * @param retryPolicy null for the handler's
 * @param executionTimeout bound on one attempt; null for none
 * @param key tasks with equal keys do not overtake each other; null for none
 * @param collection null for none
 * @param startDeadlineMicros no attempt begins after it, microseconds since 1970; null for no such
 *     bound
 * @param traceContext the trace of the caller; null for none
 * @param fairness whose share of its queue it uses up; null for that of the tasks without a key
 * @param limits names of limits that hold for it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TaskDetails(
    byte[] payload,
    @Nullable RetryPolicy retryPolicy,
    @Nullable Duration executionTimeout,
    @Nullable OrderingKey key,
    @Nullable CollectionName collection,
    @Nullable Long startDeadlineMicros,
    @Nullable TraceContext traceContext,
    @Nullable Fairness fairness,
    TaskLimits limits) {
  public TaskDetails {
    requireNonNull(payload, "payload");
  }

  /** Returns details of a task that names no limits. */
  public TaskDetails(
      byte[] payload,
      @Nullable RetryPolicy retryPolicy,
      @Nullable Duration executionTimeout,
      @Nullable OrderingKey key,
      @Nullable CollectionName collection,
      @Nullable Long startDeadlineMicros,
      @Nullable TraceContext traceContext,
      @Nullable Fairness fairness) {
    this(
        payload,
        retryPolicy,
        executionTimeout,
        key,
        collection,
        startDeadlineMicros,
        traceContext,
        fairness,
        TaskLimits.NONE);
  }

  /** Returns details with a payload and nothing else. */
  public static TaskDetails of(byte[] payload) {
    return new TaskDetails(payload, null, null, null, null, null, null, null);
  }

  /** Returns the length of the payload. */
  public int bytes() {
    return payload.length;
  }

  public TaskDetails withPayload(byte[] other) {
    return new TaskDetails(
        other,
        retryPolicy,
        executionTimeout,
        key,
        collection,
        startDeadlineMicros,
        traceContext,
        fairness,
        limits);
  }

  public TaskDetails withRetryPolicy(@Nullable RetryPolicy other) {
    return new TaskDetails(
        payload,
        other,
        executionTimeout,
        key,
        collection,
        startDeadlineMicros,
        traceContext,
        fairness,
        limits);
  }

  public TaskDetails withExecutionTimeout(@Nullable Duration other) {
    return new TaskDetails(
        payload,
        retryPolicy,
        other,
        key,
        collection,
        startDeadlineMicros,
        traceContext,
        fairness,
        limits);
  }

  public TaskDetails withKey(@Nullable OrderingKey other) {
    return new TaskDetails(
        payload,
        retryPolicy,
        executionTimeout,
        other,
        collection,
        startDeadlineMicros,
        traceContext,
        fairness,
        limits);
  }

  public TaskDetails withCollection(@Nullable CollectionName other) {
    return new TaskDetails(
        payload,
        retryPolicy,
        executionTimeout,
        key,
        other,
        startDeadlineMicros,
        traceContext,
        fairness,
        limits);
  }

  public TaskDetails withStartDeadline(@Nullable Long otherMicros) {
    return new TaskDetails(
        payload,
        retryPolicy,
        executionTimeout,
        key,
        collection,
        otherMicros,
        traceContext,
        fairness,
        limits);
  }

  public TaskDetails withTraceContext(@Nullable TraceContext other) {
    return new TaskDetails(
        payload,
        retryPolicy,
        executionTimeout,
        key,
        collection,
        startDeadlineMicros,
        other,
        fairness,
        limits);
  }

  public TaskDetails withFairness(@Nullable Fairness other) {
    return new TaskDetails(
        payload,
        retryPolicy,
        executionTimeout,
        key,
        collection,
        startDeadlineMicros,
        traceContext,
        other,
        limits);
  }

  public TaskDetails withLimits(TaskLimits other) {
    return new TaskDetails(
        payload,
        retryPolicy,
        executionTimeout,
        key,
        collection,
        startDeadlineMicros,
        traceContext,
        fairness,
        other);
  }
}
