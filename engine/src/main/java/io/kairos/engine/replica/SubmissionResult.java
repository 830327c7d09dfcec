package io.kairos.engine.replica;

/** The result of a submitted request. */
public sealed interface SubmissionResult {
  /** The request was executed once, now or at an earlier submission. */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record Done(long sequence, byte[] reply) implements SubmissionResult {}

  /**
   * A later request of the client has been executed. This request is not executed any more, and its
   * reply, if it was executed before, is gone.
   */
  record Stale(long lastRequest) implements SubmissionResult {}

  /**
   * The request was not taken, because too many are pending; the reason says what to do. Nothing
   * has been done by this submission.
   */
  record Refused(String reason) implements SubmissionResult {}

  /**
   * The request may still be executed. Submitted again under its number it is still executed only
   * once.
   */
  record Unknown(String reason) implements SubmissionResult {}
}
