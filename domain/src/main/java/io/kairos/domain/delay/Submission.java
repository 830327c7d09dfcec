package io.kairos.domain.delay;

/** What a record on the input topic turned out to ask for. */
public sealed interface Submission {
  /** Keep this message until it is due. */
  record Delay(DelayedMessage message) implements Submission {}

  /** Change a message that was submitted before. */
  record Amend(MessageId id, Amendment amendment) implements Submission {}

  /** Cannot be handled: goes to the dead-letter topic with this reason. */
  record Rejected(Rejection rejection) implements Submission {}
}
