package io.kairos.domain.delay;

/** A change of a message that has not fired yet. */
public sealed interface Amendment {
  /** Cancels the message: it must not fire any more. */
  record Cancel() implements Amendment {}

  /** Gives the message another due time, in microseconds since 1970. */
  record Reschedule(long dueMicros) implements Amendment {}
}
