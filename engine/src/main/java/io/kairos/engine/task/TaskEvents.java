package io.kairos.engine.task;

import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.Attempt;
import java.util.List;

/**
 * What a node does with tasks, for logs and metrics. Called on the engine's threads; must not
 * block.
 */
public interface TaskEvents {
  /** A listener that does nothing. */
  TaskEvents NONE = new TaskEvents() {};

  /** Tasks are durable; {@code enqueued} of them went into memory at once. */
  default void accepted(int tasks, int enqueued) {}

  /**
   * A task was handed to a worker.
   *
   * @param latenessMicros after its due time, or that of its retry
   */
  default void started(QueueName queue, long latenessMicros) {}

  /** An attempt ended the task. */
  default void finished(TaskState state) {}

  /** An attempt failed and there will be another. */
  default void retried() {}

  /** Limits of queues let these tasks not begin; they are tried again. */
  default void heldBack(int tasks) {}

  /** A worker gave a task back that it had not begun. */
  default void givenBack() {}

  /** A report or a heartbeat came with an old fence. */
  default void refused() {}

  /** Tasks were taken from holders that had not been heard of. Suspicion, not knowledge. */
  default void lapsed(List<Attempt> attempts) {}
}
