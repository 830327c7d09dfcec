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
  /** Tasks are durable; {@code enqueued} of them went into memory at once. */
  void accepted(int tasks, int enqueued);

  /**
   * A task was handed to a worker.
   *
   * @param latenessMicros after its due time, or that of its retry
   */
  void started(QueueName queue, long latenessMicros);

  /** An attempt ended the task. */
  void finished(TaskState state);

  /** An attempt failed and there will be another. */
  void retried();

  /** Limits of queues let these tasks not begin; they are tried again. */
  void heldBack(int tasks);

  /** A worker gave a task back that it had not begun. */
  void givenBack();

  /** A report or a heartbeat came with an old fence. */
  void refused();

  /** Tasks were taken from holders that had not been heard of. Suspicion, not knowledge. */
  void lapsed(List<Attempt> attempts);
}
