package io.kairos.client;

/** Where a task is in its life. */
public enum TaskState {
  /** Waits for its due time. */
  NEW,
  /** On its queue. */
  ENQUEUED,
  /** Handed to a worker, which is performing it. */
  PROCESSING,
  /** An attempt failed; waits for the next. */
  RETRIABLE_FAILURE,
  /** Waits for other tasks of its ordering key. */
  BLOCKED,
  /** Held back while its collection is paused. */
  PAUSED,
  SUCCEEDED,
  /** An attempt said that no other will help. */
  FAILED,
  CANCELLED,
  /** Its attempts are used up; it can be put back. */
  DEAD,
  /** One that this version of the client does not know. */
  OTHER;

  /** Nothing will happen to it by itself any more. */
  public boolean isFinished() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED || this == DEAD;
  }
}
