package io.kairos.engine.task.setup;

import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.port.HeldAttempt;
import java.util.List;

/**
 * Listener to a node's tasks, for logs and metrics. Called on the engine's threads; must not block.
 */
public interface TaskEvents {
  /** A listener that does nothing. */
  TaskEvents NONE = new TaskEvents() {};

  /**
   * A call that schedules tasks was answered.
   *
   * @param stored false when it was refused or has failed
   * @param tookNanos time since its arrival
   */
  default void scheduled(boolean stored, long tookNanos) {}

  /** The store has answered, or failed to answer, a request to take in a batch of new tasks. */
  default void persisted(long tookNanos) {}

  /** Tasks are durable; {@code enqueued} of them went into memory at once. */
  default void accepted(int tasks, int enqueued) {}

  /** The store did not take tasks in; their callers are told. */
  default void notAccepted(String why) {}

  /**
   * A task was handed to a worker.
   *
   * @param latenessMicros time since its due time, or since the time of its retry
   */
  default void started(QueueName queue, long latenessMicros) {}

  /**
   * A worker reported the end of an attempt.
   *
   * @param tookMicros time since its claim, by the store's clock
   * @param isFailed true when it failed, whether or not another attempt follows
   */
  default void performed(QueueName queue, long tookMicros, boolean isFailed) {}

  /** An attempt ended the task. */
  default void finished(TaskState state) {}

  /** An attempt failed and there will be another. */
  default void retried() {}

  /** Limits of queues kept this number of tasks from beginning; they are claimed again later. */
  default void heldBack(int tasks) {}

  /** A task that its worker had not begun was given back. */
  default void givenBack() {}

  /** A worker put its task off. */
  default void snoozed() {}

  /** A report or a heartbeat came with an old fence. */
  default void refused() {}

  /**
   * Tasks were taken from holders whose leases lapsed, and which are only suspected to have failed.
   */
  default void lapsed(List<HeldAttempt> attempts) {}
}
