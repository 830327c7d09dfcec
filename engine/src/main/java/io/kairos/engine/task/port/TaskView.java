package io.kairos.engine.task.port;

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
 * @param failures the latest last, at most ten; not copied
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
    List<Failure> failures) {
  /** How one attempt failed. */
  public record Failure(int attempt, Instant at, String error) {}
}
