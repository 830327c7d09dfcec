package io.kairos.domain.task;

/** Everything that can happen to an accepted task. {@link TaskLife} decides what each leads to. */
public enum TaskEvent {
  /** A node takes the task into its memory, on its queue. */
  ENQUEUE,
  /** The task leaves its queue without an attempt: given back, too long there, or held back. */
  RELEASE,
  /** A worker that waits is given the task. */
  CLAIM,
  /** The worker renews its lease on the task. */
  HEARTBEAT,
  /** The attempt ends with a success. */
  SUCCEED,
  /** The attempt ends with a fatal failure: no other attempt could succeed. */
  FAIL,
  /** The attempt fails or its lease lapses, and it was the last that the retry policy allows. */
  EXHAUST,
  /** The attempt fails or its lease lapses, and the retry policy allows another. */
  RETRY,
  /** The attempt ends because its worker was told of a cancel. */
  STOP,
  /** The worker gives the task back without having begun it. */
  NOT_BEGUN,
  /** The task's ordering key does not let it begin before others. */
  BLOCK,
  /** The tasks before it in its ordering key have ended. */
  UNBLOCK,
  /** The task would come onto its queue or begin, and its collection is paused. */
  PAUSE,
  /** The collection is resumed. */
  RESUME,
  /** Somebody asks for the end of the task. */
  CANCEL,
  /** Somebody gives the task another due time. */
  RESCHEDULE,
  /** Another task that carries its idempotency key takes its place. */
  REPLACE,
  /** The handler or the collection is being dropped. */
  DROP,
  /** The start deadline has passed. */
  EXPIRE,
  /** An operator lets the ordering key go on without the failing task at its head. */
  SKIP,
  /** An operator has the failing task at the head of its ordering key tried again now. */
  HURRY,
  /** An operator has a failed task tried again, with all its attempts. */
  REDRIVE
}
