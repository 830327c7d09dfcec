package io.kairos.domain.delay;

/**
 * How an amendment ended. Final once given, and linearizable per id: an applied cancel means that
 * the message never fires afterwards.
 */
public enum AmendmentOutcome {
  /** The message was still waiting or held and has been changed. */
  APPLIED,
  /** Its firing had begun: it was or will be published. */
  TOO_LATE,
  /** No message with this id is waiting or ready. */
  UNKNOWN_ID
}
