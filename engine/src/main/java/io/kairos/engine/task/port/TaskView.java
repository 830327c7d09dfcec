package io.kairos.engine.task.port;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a task.
 *
 * @param payload null when it was not asked for, or is no longer kept
 * @param nextTrigger null when it has ended
 * @param finishedAt null when it has not
 * @param holder null when nobody holds it
 * @param retryPolicy its own, or its handler's at present
 * @param failures the latest last, at most ten; not copied
 * @param key null when it has none
 * @param collection null when it belongs to none
 * @param startDeadline null when it is never too late
 * @param result what its last attempt said as it succeeded; empty for nothing
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TaskView(
    TaskId id,
    QueueName queue,
    TaskState state,
    Instant dueAt,
    Instant createdAt,
    int attempt,
    RetryPolicy retryPolicy,
    byte @Nullable [] payload,
    @Nullable Instant nextTrigger,
    @Nullable Instant finishedAt,
    @Nullable String holder,
    boolean cancelRequested,
    List<Failure> failures,
    @Nullable OrderingKey key,
    @Nullable CollectionName collection,
    @Nullable Instant startDeadline,
    String result) {
  /** One that depends on nothing but its due time. */
  public TaskView(
      TaskId id,
      QueueName queue,
      TaskState state,
      Instant dueAt,
      Instant createdAt,
      int attempt,
      RetryPolicy retryPolicy,
      byte @Nullable [] payload,
      @Nullable Instant nextTrigger,
      @Nullable Instant finishedAt,
      @Nullable String holder,
      boolean cancelRequested,
      List<Failure> failures) {
    this(
        id,
        queue,
        state,
        dueAt,
        createdAt,
        attempt,
        retryPolicy,
        payload,
        nextTrigger,
        finishedAt,
        holder,
        cancelRequested,
        failures,
        null,
        null,
        null,
        "");
  }

  /** How one attempt failed. */
  public record Failure(int attempt, Instant at, String error) {}
}
