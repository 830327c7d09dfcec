package io.kairos.engine.task.edge;

import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import org.jspecify.annotations.Nullable;

/**
 * A task to be scheduled, checked by the edge that received it.
 *
 * @param dueMicros the earliest instant at which it may run, microseconds since 1970
 * @param idempotency null when it may be scheduled twice
 * @param maker the caller whom a new queue is charged to; null for no caller
 */
public record TaskSpec(
    QueueName queue,
    long dueMicros,
    TaskDetails details,
    @Nullable TaskIdempotency idempotency,
    @Nullable QueueMaker maker) {
  /** The name of the caller who submits the task; null for none. */
  public @Nullable String submittedBy() {
    return maker == null ? null : maker.callerName();
  }

  /** Makes a task whose new queue is charged to no caller. */
  public TaskSpec(
      QueueName queue, long dueMicros, TaskDetails details, @Nullable TaskIdempotency idempotency) {
    this(queue, dueMicros, details, idempotency, null);
  }
}
