package io.kairos.domain.task;

import java.time.Duration;

/** What becomes of a task when an attempt ends: the one place that decides it (DA-17, DA-20). */
public final class Transitions {
  private Transitions() {}

  /** What to do with a task after an attempt. */
  public sealed interface Decision {
    /**
     * It has ended.
     *
     * @param text how it failed, or what is to be remembered of a success; empty for nothing
     */
    record Finish(TaskState state, String text) implements Decision {}

    /** It waits for its next attempt. */
    record Retry(Duration delay, String error) implements Decision {}

    /** It waits as it did before it was claimed. */
    record GiveBack() implements Decision {}
  }

  /** A worker has said that an attempt ended the task (DA-17 f, g). */
  public static Decision.Finish after(Outcome.End outcome) {
    return switch (outcome) {
      case Outcome.Succeeded(String text) -> new Decision.Finish(TaskState.SUCCEEDED, text);
      case Outcome.Cancelled() -> new Decision.Finish(TaskState.CANCELLED, "");
      case Outcome.Failed(String error) -> new Decision.Finish(TaskState.FAILED, error);
    };
  }

  /**
   * A worker has said that an attempt failed for now (DA-17 e).
   *
   * @param attempt its number, from 1
   * @param chance uniform in [0, 1), spreads retries
   */
  public static Decision after(
      Outcome.Again outcome, int attempt, RetryPolicy policy, double chance) {
    return switch (outcome) {
      case Outcome.RetryLater(String error) ->
          retry(attempt, policy, policy.backoffAfter(attempt, chance), error);
      case Outcome.RetryAfter(String error, Duration delay) -> retry(attempt, policy, delay, error);
    };
  }

  /**
   * A lease has ended without a word (DA-17 c, d). The worker is suspected to be dead; perhaps the
   * payload killed it, so it counts as an attempt.
   */
  public static Decision afterLapse(int attempt, RetryPolicy policy) {
    return retry(attempt, policy, Duration.ZERO, "the lease of attempt " + attempt + " lapsed");
  }

  private static Decision retry(int attempt, RetryPolicy policy, Duration delay, String error) {
    return policy.allowsAfter(attempt)
        ? new Decision.Retry(delay, error)
        : new Decision.Finish(TaskState.DEAD, error);
  }
}
