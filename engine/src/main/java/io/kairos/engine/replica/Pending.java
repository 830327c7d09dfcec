package io.kairos.engine.replica;

/** Where a request of this replica is (CC-37). */
public enum Pending {
  /** Not known here: never submitted in this life, or dropped. */
  NONE,
  /** Waits to be taken up. */
  QUEUED,
  /** Taken up, and not yet executed here. */
  ORDERING,
  /** Executed here, it or a later one of its client. */
  EXECUTED
}
