package io.kairos.engine.task.edge;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.port.Predecessors;

/**
 * A task that is claimed for a worker.
 *
 * @param attempt number of the attempt, counted from 1
 * @param dueMicros microseconds since 1970
 * @param predecessors what it has waited for
 */
public record ClaimedTask(
    FencedTask task,
    QueueName queue,
    int attempt,
    long dueMicros,
    TaskDetails details,
    Predecessors predecessors) {
  /** Makes a task that has waited for no others. */
  public ClaimedTask(
      FencedTask task, QueueName queue, int attempt, long dueMicros, TaskDetails details) {
    this(task, queue, attempt, dueMicros, details, Predecessors.NONE);
  }

  /** Bytes of the payload, and of what is said of predecessors. */
  public long bytes() {
    return details.bytes() + predecessors.bytes();
  }
}
