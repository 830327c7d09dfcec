package io.kairos.domain.delay;

/** A wish to change a message that has not fired yet. */
public sealed interface Amendment {
  /** Take the message back: it must not fire any more. */
  record Cancel() implements Amendment {}

  /** Fire at another time. */
  record Reschedule(long dueMicros) implements Amendment {}
}
