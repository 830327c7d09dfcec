package io.kairos.domain.task;

/**
 * The state of a task. <em>Claimed</em> and <em>processing</em> are one state: the claim is made
 * for a waiting worker, and its lease is the time until the first heartbeat. {@link TaskLife} has
 * the transitions.
 */
public enum TaskState {
  /** Waits for its due time; trigger: the due time. */
  NEW,
  /** On its queue, in the memory of a node; trigger: when it should long have been claimed. */
  ENQUEUED,
  /** A worker performs it; trigger: when its lease ends. */
  PROCESSING,
  /** An attempt failed; trigger: when to try again. */
  RETRIABLE_FAILURE,
  /** Waits for its predecessors to end; trigger: as when they have, without effect until then. */
  AWAITING,
  /** Waits for other tasks of its ordering key; trigger: as before, without effect. */
  BLOCKED,
  /** Held back while its collection is paused; trigger: as before, without effect. */
  PAUSED,
  SUCCEEDED,
  /** An attempt reported that no other could succeed. */
  FAILED,
  CANCELLED,
  /** Its attempts are used up; it can be put back. */
  DEAD;

  /**
   * Returns true for an end. Finished tasks have no trigger, and only an operator's command leaves
   * these states.
   */
  public boolean isFinished() {
    return switch (this) {
      case NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, AWAITING, BLOCKED, PAUSED -> false;
      case SUCCEEDED, FAILED, CANCELLED, DEAD -> true;
    };
  }

  /** Returns true if a node or a worker holds the task. */
  public boolean isHeld() {
    return this == ENQUEUED || this == PROCESSING;
  }
}
