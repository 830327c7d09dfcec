package io.kairos.domain.task;

import java.time.Duration;

/**
 * The effect of an attempt's end on its task: the one place that decides between the end of the
 * task and another attempt. {@link TaskLife} has the states that follow.
 */
public sealed interface AttemptEnd {
  /**
   * The task has ended.
   *
   * @param error empty for none
   * @param errorClass the class of the error; empty for none
   * @param stack that of the error; empty for none
   * @param result the value of a success; {@link TaskResult#NONE} for none
   */
  record Finish(TaskState state, String error, String errorClass, String stack, TaskResult result)
      implements AttemptEnd {
    /** Makes an end without a class, a stack and a value. */
    public Finish(TaskState state, String error) {
      this(state, error, "", "", TaskResult.NONE);
    }

    /** Makes an end with a value. */
    public Finish(TaskState state, TaskResult result) {
      this(state, "", "", "", result);
    }
  }

  /** The task waits for its next attempt. */
  record Retry(Duration delay, String error, String errorClass, String stack)
      implements AttemptEnd {}

  /** The task waits as it did before it was claimed. */
  record GiveBack() implements AttemptEnd {}

  /** The task waits for its next attempt, and this one does not count. */
  record PutOff(Duration delay) implements AttemptEnd {}

  /** True when the attempt failed, whether or not another one follows. */
  default boolean isFailure() {
    return switch (this) {
      case Finish finish -> finish.state() == TaskState.FAILED || finish.state() == TaskState.DEAD;
      case Retry _ -> true;
      case GiveBack(), PutOff _ -> false;
    };
  }

  /** Returns the end for a worker's report that an attempt has ended the task. */
  static Finish of(AttemptOutcome.End outcome) {
    return switch (outcome) {
      case AttemptOutcome.Succeeded(TaskResult result) -> new Finish(TaskState.SUCCEEDED, result);
      case AttemptOutcome.Cancelled() -> new Finish(TaskState.CANCELLED, "");
      case AttemptOutcome.Failed(String error, String errorClass, String stack) ->
          new Finish(TaskState.FAILED, error, errorClass, stack, TaskResult.NONE);
    };
  }

  /**
   * Returns the end for a worker's report that an attempt failed for now.
   *
   * @param attempt the number of the attempt, from 1
   * @param chance uniform in [0, 1), the jitter of retries
   */
  static AttemptEnd of(
      AttemptOutcome.Again outcome, int attempt, RetryPolicy policy, double chance) {
    Duration delay =
        switch (outcome) {
          case AttemptOutcome.RetryLater _ -> policy.backoffAfter(attempt, chance);
          case AttemptOutcome.RetryAfter after -> after.delay();
        };
    return retry(
        attempt, policy, new Retry(delay, outcome.error(), outcome.errorClass(), outcome.stack()));
  }

  /**
   * Returns the end for a lease that lapsed. The worker is suspected to be dead; perhaps the
   * payload killed it, so it counts as an attempt.
   */
  static AttemptEnd ofLapse(int attempt, RetryPolicy policy) {
    String error = "the lease of attempt " + attempt + " lapsed";
    return retry(attempt, policy, new Retry(Duration.ZERO, error, "lease lapsed", ""));
  }

  /**
   * Returns the end for an attempt that has taken longer than the task's execution timeout: a
   * failure for now.
   *
   * @param chance uniform in [0, 1), the jitter of retries
   */
  static AttemptEnd ofTimeout(int attempt, RetryPolicy policy, double chance) {
    String error = "attempt " + attempt + " took longer than its execution timeout";
    Duration delay = policy.backoffAfter(attempt, chance);
    return retry(attempt, policy, new Retry(delay, error, "execution timeout", ""));
  }

  private static AttemptEnd retry(int attempt, RetryPolicy policy, Retry retry) {
    return policy.allowsAfter(attempt)
        ? retry
        : new Finish(
            TaskState.DEAD, retry.error(), retry.errorClass(), retry.stack(), TaskResult.NONE);
  }
}
