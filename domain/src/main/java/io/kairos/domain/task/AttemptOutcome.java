package io.kairos.domain.task;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** The outcome of an attempt, as its worker reports it. */
public sealed interface AttemptOutcome {
  /** The task has ended with the attempt. */
  sealed interface End extends AttemptOutcome {}

  /** The task is to be tried again, if its retry policy allows. */
  sealed interface Again extends AttemptOutcome {
    String error();

    /** The class of the error; empty for none. */
    String errorClass();

    /** Where the error was thrown, as its platform writes it; empty for none. */
    String stack();
  }

  /**
   * The attempt has succeeded.
   *
   * @param result its value; {@link TaskResult#NONE} for none
   */
  record Succeeded(TaskResult result) implements End {
    public Succeeded {
      requireNonNull(result, "result");
    }

    /** Makes a success with a text as its result; empty for none. */
    public Succeeded(String text) {
      this(TaskResult.text(text));
    }

    /** Makes a success without a result. */
    public Succeeded() {
      this(TaskResult.NONE);
    }
  }

  /**
   * No other attempt will help.
   *
   * @param errorClass the name of an exception's class, or another kind of error; empty for none
   * @param stack where it was thrown; empty for none
   */
  record Failed(String error, String errorClass, String stack) implements End {
    public Failed {
      requireNonNull(error, "error");
      requireNonNull(errorClass, "errorClass");
      requireNonNull(stack, "stack");
    }

    /** Makes a failure without a stack. */
    public Failed(String error, String errorClass) {
      this(error, errorClass, "");
    }

    /** Makes a failure without a class. */
    public Failed(String error) {
      this(error, "");
    }
  }

  /** The attempt was ended because a cancel was requested. */
  record Cancelled() implements End {}

  /**
   * The attempt was never begun: its worker is about to end, or had gone when the task was given to
   * it. No attempt is counted, and the task waits for another worker at once.
   */
  record NotBegun() implements AttemptOutcome {}

  /**
   * The task is put off, which is no failure: the attempt does not count, and the next one begins
   * after this delay at the earliest.
   *
   * @param delay not negative, at most {@link #LONGEST}
   */
  record Snoozed(Duration delay) implements AttemptOutcome {
    public static final Duration LONGEST = Duration.ofDays(365);

    public Snoozed {
      require(
          !delay.isNegative() && delay.compareTo(LONGEST) <= 0,
          "a task is put off by 0 to 365 days");
    }
  }

  /** Another attempt may succeed, after the backoff of the retry policy. */
  record RetryLater(String error, String errorClass, String stack) implements Again {
    public RetryLater {
      requireNonNull(error, "error");
      requireNonNull(errorClass, "errorClass");
      requireNonNull(stack, "stack");
    }

    /** Makes a failure without a stack. */
    public RetryLater(String error, String errorClass) {
      this(error, errorClass, "");
    }

    /** Makes a failure without a class. */
    public RetryLater(String error) {
      this(error, "");
    }
  }

  /** Another attempt may succeed after this delay. This one counts as an attempt. */
  record RetryAfter(String error, String errorClass, String stack, Duration delay)
      implements Again {
    public RetryAfter {
      requireNonNull(error, "error");
      requireNonNull(errorClass, "errorClass");
      requireNonNull(stack, "stack");
      requireNonNull(delay, "delay");
    }

    /** Makes a failure without a stack. */
    public RetryAfter(String error, String errorClass, Duration delay) {
      this(error, errorClass, "", delay);
    }

    /** Makes a failure without a class. */
    public RetryAfter(String error, Duration delay) {
      this(error, "", "", delay);
    }
  }
}
