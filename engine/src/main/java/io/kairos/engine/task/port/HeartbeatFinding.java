package io.kairos.engine.task.port;

/** The state of a task that a heartbeat found. */
public enum HeartbeatFinding {
  EXTENDED,
  /** Extended, and a cancellation was requested. */
  CANCEL_REQUESTED,
  /** Not held under this fence any more. */
  LOST
}
