package io.kairos.engine.task.port;

/** What a heartbeat found. */
public enum Beat {
  EXTENDED,
  /** Extended, and a cancel was asked for. */
  CANCEL_REQUESTED,
  /** Not held under this fence any more. */
  LOST
}
