package io.kairos.simulator.delay;

import static io.kairos.simulator.delay.ProducedRecord.NEVER;

import io.kairos.domain.delay.Fence;
import org.jspecify.annotations.Nullable;

/** One attempt of a node to publish one message, and its result. */
final class MessageSend {
  final ProducedRecord message;
  final String sender;
  final long begunAtNanos;

  /** The pair under which the sender held the message; null if it did not. */
  final @Nullable Fence under;

  final boolean toDeadLetters;

  /** Published by an intake, straight from the input topic. */
  final boolean isDirect;

  /** The sender's clock was beyond its bound: what others conclude from due times may be wrong. */
  boolean byWrongClock;

  long writtenAtNanos = NEVER;
  boolean acknowledged;

  /** Its intake had waited long enough, and stored the message. */
  boolean unansweredWhenStored;

  boolean reportedFailed;

  MessageSend(
      ProducedRecord message,
      String sender,
      long begunAtNanos,
      @Nullable Fence under,
      boolean toDeadLetters,
      boolean isDirect) {
    this.message = message;
    this.sender = sender;
    this.begunAtNanos = begunAtNanos;
    this.under = under;
    this.toDeadLetters = toDeadLetters;
    this.isDirect = isDirect;
  }

  boolean isWritten() {
    return writtenAtNanos != NEVER;
  }

  /** It may still be written, or was, and its sender does not know. */
  boolean isInFlight() {
    return !acknowledged && !reportedFailed;
  }

  @Override
  public String toString() {
    return "send by %s begun %s ms, %s%s"
        .formatted(
            sender,
            begunAtNanos / 1_000_000,
            isWritten() ? "written " + writtenAtNanos / 1_000_000 + " ms" : "not written",
            acknowledged
                ? ", acknowledged"
                : reportedFailed ? ", reported failed" : ", unanswered");
  }
}
