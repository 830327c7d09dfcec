package io.kairos.testkit.sim;

/**
 * States that matter and that a simulation could miss without anybody noticing. A run of many seeds
 * counts them and fails when it never reached one.
 */
public enum RareState {
  /** A message changed hands while its former holder's send was on its way. */
  TAKEOVER_IN_FLIGHT,
  /** A call was reported as failed and had taken effect. */
  UNKNOWN_COMMIT_THAT_DID_COMMIT,
  /** A statement took effect after its caller had been told that it failed. */
  STATEMENT_AFTER_ITS_FAILURE,
  /** A statement took effect after its node had died. */
  STATEMENT_OF_A_DEAD_NODE,
  /** A delete came for a message that was not there any more under its pair. */
  LATE_DELETE,
  /** A delete with an old pair met a newer message with the same id. */
  LATE_DELETE_OF_A_REUSED_ID,
  /** A record was written and its sender never learned it. */
  LOST_ACK,
  /** A send's record was written after the sender had been told that it failed. */
  WRITE_AFTER_ITS_FAILURE,
  INTAKE_SUPERSEDED,
  INTAKE_COMMIT_UNKNOWN,
  DUPLICATE_IGNORED,
  PUBLISHED_DIRECTLY,
  PUBLISHED_TWICE,
  RESET_BY_BACKSTOP,
  DEFERRED,
  REFUSED_BY_BROKER,
  LIVE_NODE_LAPSED,
  CLOCK_OUT_OF_BOUNDS,
  STOPPED_GRACEFULLY,
  CANCELLED_BY_STORE,
  CANCELLED_BY_HOLDER,
  RESCHEDULED_BY_STORE,
  RESCHEDULED_BY_HOLDER,
  CANCEL_TOO_LATE,
  AMENDMENT_TOO_LATE_AFTER_TAKEOVER,
  AMENDMENT_OF_UNKNOWN_ID,
  OUTCOME_ADOPTED,
  ID_REUSED_AFTER_FIRING,
  PARTITIONS_ADDED,
  PARTITIONS_MOVED
}
