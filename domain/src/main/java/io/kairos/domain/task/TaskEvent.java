package io.kairos.domain.task;

/** The events of an accepted task. {@link TaskLife} has the state that follows each. */
public enum TaskEvent {
  /** A node takes the task into its memory, on its queue. */
  ENQUEUE,
  /** The task leaves its queue without an attempt: given back, too long there, or held back. */
  RELEASE,
  /** A waiting worker is given the task. */
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
  /** The attempt ends because its worker has learned of a cancel. */
  STOP,
  /** The worker gives the task back without having begun it. */
  NOT_BEGUN,
  /** The worker puts the task off: the attempt has not failed and does not count. */
  SNOOZE,
  /** The task's ordering key does not let it begin before others. */
  BLOCK,
  /** The tasks before it in its ordering key have ended. */
  UNBLOCK,
  /** The task would be put on its queue or begin, and its collection is paused. */
  PAUSE,
  /** The collection is resumed. */
  RESUME,
  /** The task's predecessors have ended, each in a way that the task waits for. */
  READY,
  /** A predecessor of the task has failed, and the task with it. */
  PREDECESSOR_FAILED,
  /** The task was put back, and its predecessors have not ended as they must. */
  AWAIT,
  /** A caller cancels the task, or the cancel of a predecessor does. */
  CANCEL,
  /** A caller gives the task another due time. */
  RESCHEDULE,
  /** Another task that carries its idempotency key takes its place. */
  REPLACE,
  /** The handler or the collection is being dropped. */
  DROP,
  /** The start deadline has passed. */
  EXPIRE,
  /** An operator skips the failing task at the head of its ordering key. */
  SKIP,
  /** An operator retries the failing task at the head of its ordering key now. */
  HURRY,
  /** An operator puts a failed task back, with all its attempts. */
  REDRIVE
}
