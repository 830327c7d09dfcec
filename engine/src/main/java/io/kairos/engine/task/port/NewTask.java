package io.kairos.engine.task.port;

import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.queue.QueueId;
import org.jspecify.annotations.Nullable;

/**
 * A task that is not yet stored.
 *
 * @param dueMicros microseconds since 1970
 * @param schedule the schedule that made it; null for none
 * @param submittedBy who submitted it, a caller of the API; null for none
 * @param batch the batch that it joins; null for none. Not that of a task whose content it replaces
 */
public record NewTask(
    TaskId id,
    QueueId queue,
    long dueMicros,
    TaskDetails details,
    @Nullable ScheduleId schedule,
    @Nullable String submittedBy,
    @Nullable BatchId batch) {
  /** Makes a task of no batch. */
  public NewTask(
      TaskId id,
      QueueId queue,
      long dueMicros,
      TaskDetails details,
      @Nullable ScheduleId schedule,
      @Nullable String submittedBy) {
    this(id, queue, dueMicros, details, schedule, submittedBy, null);
  }

  /** This task, as one of a batch. */
  public NewTask inBatch(@Nullable BatchId other) {
    return new NewTask(id, queue, dueMicros, details, schedule, submittedBy, other);
  }

  /** Makes a task that no caller has submitted. */
  public NewTask(
      TaskId id,
      QueueId queue,
      long dueMicros,
      TaskDetails details,
      @Nullable ScheduleId schedule) {
    this(id, queue, dueMicros, details, schedule, null);
  }
}
