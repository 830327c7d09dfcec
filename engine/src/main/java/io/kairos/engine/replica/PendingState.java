package io.kairos.engine.replica;

/** Progress of a request of this replica. */
public enum PendingState {
  /** Unknown here: never submitted in this life, or dropped. */
  NONE,
  /** Waits to be proposed. */
  QUEUED,
  /** Proposed, and not yet executed here. */
  ORDERING,
  /** The request or a later one of its client was executed here. */
  EXECUTED
}
