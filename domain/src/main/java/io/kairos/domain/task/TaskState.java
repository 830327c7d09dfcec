package io.kairos.domain.task;

/**
 * Where a task is in its life (DA-17). <em>Claimed</em> and <em>processing</em> are one state here:
 * the claim is made for a worker that waits for it, and its lease is the time until the first
 * heartbeat. What leaves for which state, and why, is in {@link TaskLife}.
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
  /** Waits for other tasks of its ordering key; trigger: as before, without effect. */
  BLOCKED,
  /** Held back while its collection is paused; trigger: as before, without effect. */
  PAUSED,
  SUCCEEDED,
  /** An attempt said that no other would help. */
  FAILED,
  CANCELLED,
  /** Its attempts are used up; it can be put back. */
  DEAD;

  /** Finished tasks have no trigger, and nothing leaves these states but by an operator's hand. */
  public boolean isFinished() {
    return switch (this) {
      case NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, BLOCKED, PAUSED -> false;
      case SUCCEEDED, FAILED, CANCELLED, DEAD -> true;
    };
  }

  /** Whether anybody holds it. */
  public boolean isHeld() {
    return this == ENQUEUED || this == PROCESSING;
  }
}
