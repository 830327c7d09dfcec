package io.kairos.client.task;

/** The result of cancelling a task. */
public enum CancelOutcome {
  /** The task is cancelled and will not be performed. */
  CANCELLED,
  /**
   * The worker of the task is notified with its next heartbeat; the state of the task shows how it
   * ends.
   */
  REQUESTED,
  /** The task had ended before. */
  TOO_LATE,
  /** An outcome that this version of the client does not know. */
  OTHER
}
