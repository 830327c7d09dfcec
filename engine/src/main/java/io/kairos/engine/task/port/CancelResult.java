package io.kairos.engine.task.port;

/** What a cancel did. */
public enum CancelResult {
  CANCELLED,
  /** A worker performs it and will be told. */
  REQUESTED,
  /** It has ended. */
  TOO_LATE,
  UNKNOWN
}
