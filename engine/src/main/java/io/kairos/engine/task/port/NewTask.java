package io.kairos.engine.task.port;

import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * A task on its way into the store.
 *
 * @param dueMicros microseconds since 1970
 * @param schedule that made it; null for none
 */
public record NewTask(
    TaskId id, QueueId queue, long dueMicros, TaskDetails details, @Nullable ScheduleId schedule) {}
