package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** How an attempt ended, as its worker says (DA-12). */
public sealed interface Outcome {
  record Succeeded() implements Outcome {}

  /** It may work another time, when the retry policy says so. */
  record RetryLater(String error) implements Outcome {
    public RetryLater {
      requireNonNull(error, "error");
    }
  }

  /** It may work after this delay ("not now, later", TW-13); counts as an attempt all the same. */
  record RetryAfter(String error, Duration delay) implements Outcome {
    public RetryAfter {
      requireNonNull(error, "error");
      requireNonNull(delay, "delay");
    }
  }

  /** No other attempt will help. */
  record Failed(String error) implements Outcome {
    public Failed {
      requireNonNull(error, "error");
    }
  }

  /** It was ended because a cancel was asked for. */
  record Cancelled() implements Outcome {}
}
