package io.kairos.domain.delay;

/**
 * The outcome of an amendment. It is final and linearizable per id: after an applied cancel the
 * message never fires.
 */
public enum AmendmentOutcome {
  /** The message was still waiting or held and has been changed. */
  APPLIED,
  /** The message's firing had begun: it was or will be published. */
  TOO_LATE,
  /** No message with this id is waiting or ready. */
  UNKNOWN_ID
}
