package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** The outcome of an attempt, as its worker reports it. */
public sealed interface AttemptOutcome {
  /** The task has ended with the attempt. */
  sealed interface End extends AttemptOutcome {}

  /** The task is to be tried again, if its retry policy allows. */
  sealed interface Again extends AttemptOutcome {
    String error();
  }

  /**
   * The attempt has succeeded.
   *
   * @param text its result; empty for none
   */
  record Succeeded(String text) implements End {
    public Succeeded {
      requireNonNull(text, "text");
    }

    /** Makes a success without a result. */
    public Succeeded() {
      this("");
    }
  }

  /** No other attempt will help. */
  record Failed(String error) implements End {
    public Failed {
      requireNonNull(error, "error");
    }
  }

  /** The attempt was ended because a cancel was requested. */
  record Cancelled() implements End {}

  /**
   * The attempt was never begun: its worker is about to end, or had gone when the task was given to
   * it. No attempt is counted, and the task waits for another worker at once.
   */
  record NotBegun() implements AttemptOutcome {}

  /** Another attempt may succeed, after the backoff of the retry policy. */
  record RetryLater(String error) implements Again {
    public RetryLater {
      requireNonNull(error, "error");
    }
  }

  /** Another attempt may succeed after this delay. This one counts as an attempt. */
  record RetryAfter(String error, Duration delay) implements Again {
    public RetryAfter {
      requireNonNull(error, "error");
      requireNonNull(delay, "delay");
    }
  }
}
