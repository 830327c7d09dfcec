package io.kairos.domain.delay;

/** The content of a record on the input topic, as it was read. */
public sealed interface InputSubmission {
  /** A message to keep until it is due. */
  record Delay(DelayedMessage message) implements InputSubmission {}

  /** A change of a message that was submitted before. */
  record Amend(MessageId id, Amendment amendment) implements InputSubmission {}

  /** A record that cannot be handled. It goes to the dead-letter topic with this reason. */
  record Rejected(RecordRejection rejection) implements InputSubmission {}
}
