package io.kairos.client;

/** What became of the wish to cancel a task. */
public enum CancelOutcome {
  /** It will not be performed. */
  CANCELLED,
  /** Its worker is told with the next heartbeat; how it ends is in the task. */
  REQUESTED,
  /** It had ended before. */
  TOO_LATE,
  /** One that this version of the client does not know. */
  OTHER
}
