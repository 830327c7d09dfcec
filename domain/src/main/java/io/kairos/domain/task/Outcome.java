package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** How an attempt ended, as its worker says (DA-12). */
public sealed interface Outcome {
  /** The task has ended with it. */
  sealed interface End extends Outcome {}

  /** The task is to be tried again, if its retry policy allows. */
  sealed interface Again extends Outcome {
    String error();
  }

  /**
   * It has done what it was to do.
   *
   * @param text what is to be remembered of it; empty for nothing
   */
  record Succeeded(String text) implements End {
    public Succeeded {
      requireNonNull(text, "text");
    }

    /** With nothing to be remembered. */
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

  /** It was ended because a cancel was asked for. */
  record Cancelled() implements End {}

  /**
   * It was never begun: its worker is about to end, or had gone when the task was given to it. No
   * attempt is counted, and the task waits for another worker at once.
   */
  record NotBegun() implements Outcome {}

  /** It may work another time, when the retry policy says so. */
  record RetryLater(String error) implements Again {
    public RetryLater {
      requireNonNull(error, "error");
    }
  }

  /** It may work after this delay ("not now, later", TW-13); counts as an attempt all the same. */
  record RetryAfter(String error, Duration delay) implements Again {
    public RetryAfter {
      requireNonNull(error, "error");
      requireNonNull(delay, "delay");
    }
  }
}
