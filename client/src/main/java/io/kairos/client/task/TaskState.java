package io.kairos.client.task;

/** State of a task. */
public enum TaskState {
  /** The task waits for its due time. */
  NEW,
  /** The task is due and on its queue. */
  ENQUEUED,
  /** A worker performs the task. */
  PROCESSING,
  /** An attempt failed; the task waits for the next. */
  RETRIABLE_FAILURE,
  /** The task waits for its predecessors. */
  AWAITING,
  /** The task waits for other tasks of its ordering key. */
  BLOCKED,
  /** The task waits while its collection is paused. */
  PAUSED,
  SUCCEEDED,
  /** An attempt failed for good: its worker reported that a retry will not help. */
  FAILED,
  CANCELLED,
  /** All attempts failed; a redrive can put the task back. */
  DEAD,
  /** A state that this version of the client does not know. */
  OTHER;

  /** True when the task has ended. A redrive may still put a failed or dead task back. */
  public boolean isFinished() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED || this == DEAD;
  }
}
