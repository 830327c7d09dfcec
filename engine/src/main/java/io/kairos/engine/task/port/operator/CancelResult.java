package io.kairos.engine.task.port.operator;

/** The result of a cancellation. */
public enum CancelResult {
  CANCELLED,
  /** A worker performs the task and will be told. */
  REQUESTED,
  /** The task has ended. */
  TOO_LATE,
  UNKNOWN
}
