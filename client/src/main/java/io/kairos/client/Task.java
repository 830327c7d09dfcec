package io.kairos.client;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task as a node knew it when it was asked.
 *
 * @param priority 0 to 100, higher is sooner
 * @param runAt the earliest instant at which it may run
 * @param payload empty in lists
 * @param attempt attempts that were begun so far
 * @param nextTrigger when anybody may act on it next; null when it is finished
 * @param finishedAt null while it is not finished
 * @param failures how attempts failed, the latest last, at most ten
 * @param holder who holds it: a node while enqueued, a worker while it is being performed; empty
 *     for nobody
 * @param cancelRequested a cancel was asked for while it was being performed
 * @param key its ordering key; empty for none
 * @param collection empty for none
 * @param startDeadline no attempt begins after it; null for no such bound
 * @param result what its last attempt said as it succeeded, such as the answer of a pool's
 *     endpoint; empty for nothing
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Task(
    TaskId id,
    String handler,
    int priority,
    TaskState state,
    Instant runAt,
    byte[] payload,
    int attempt,
    RetryPolicy retryPolicy,
    Instant createdAt,
    @Nullable Instant nextTrigger,
    @Nullable Instant finishedAt,
    List<Failure> failures,
    String holder,
    boolean cancelRequested,
    String key,
    String collection,
    @Nullable Instant startDeadline,
    String result) {
  public Task {
    failures = List.copyOf(failures);
  }

  /**
   * How one attempt failed.
   *
   * @param error at most 2,000 characters
   */
  public record Failure(int attempt, Instant at, String error) {}
}
