package io.kairos.spring;

import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import java.util.List;
import java.util.function.Function;

/** Code around each call of the template. */
@FunctionalInterface
interface ScheduleObservation {
  /** Observes nothing. */
  ScheduleObservation NONE = (tasks, call) -> call.apply(tasks);

  List<TaskId> schedule(List<TaskRequest> tasks, Function<List<TaskRequest>, List<TaskId>> call);
}
