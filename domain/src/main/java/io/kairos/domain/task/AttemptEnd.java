package io.kairos.domain.task;

import java.time.Duration;

/**
 * What the end of an attempt means for its task: the one place that decides between the end of the
 * task and another attempt (DA-17, DA-20). What that does to the task says {@link TaskLife}.
 */
public sealed interface AttemptEnd {
  /**
   * The task has ended.
   *
   * @param text how it failed, or what is to be remembered of a success; empty for nothing
   */
  record Finish(TaskState state, String text) implements AttemptEnd {}

  /** The task waits for its next attempt. */
  record Retry(Duration delay, String error) implements AttemptEnd {}

  /** The task waits as it did before it was claimed. */
  record GiveBack() implements AttemptEnd {}

  /** A worker has said that an attempt ended the task (DA-17 f, g). */
  static Finish of(Outcome.End outcome) {
    return switch (outcome) {
      case Outcome.Succeeded(String text) -> new Finish(TaskState.SUCCEEDED, text);
      case Outcome.Cancelled() -> new Finish(TaskState.CANCELLED, "");
      case Outcome.Failed(String error) -> new Finish(TaskState.FAILED, error);
    };
  }

  /**
   * A worker has said that an attempt failed for now (DA-17 e).
   *
   * @param attempt its number, from 1
   * @param chance uniform in [0, 1), spreads retries
   */
  static AttemptEnd of(Outcome.Again outcome, int attempt, RetryPolicy policy, double chance) {
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
  static AttemptEnd ofLapse(int attempt, RetryPolicy policy) {
    return retry(attempt, policy, Duration.ZERO, "the lease of attempt " + attempt + " lapsed");
  }

  private static AttemptEnd retry(int attempt, RetryPolicy policy, Duration delay, String error) {
    return policy.allowsAfter(attempt)
        ? new Retry(delay, error)
        : new Finish(TaskState.DEAD, error);
  }
}
