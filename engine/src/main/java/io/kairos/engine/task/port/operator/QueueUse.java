package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.queue.TaskQueueLimit;

/**
 * The limit of a queue and its use.
 *
 * @param running number of tasks of the queue that workers perform
 */
public record QueueUse(TaskQueueLimit limit, int running) {
  /** The use of a queue without a limit, whose tasks are not counted. */
  public static final QueueUse NONE = new QueueUse(TaskQueueLimit.NONE, 0);
}
