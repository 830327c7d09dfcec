package io.kairos.inprocess;

import io.kairos.api.v1.ApplyScheduleRequest;
import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.CreateScheduleRequest;
import io.kairos.api.v1.PutScheduleRequest;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.UpdateScheduleRequest;
import io.kairos.edge.refusal.InvalidField;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The handlers that somebody performs: those of this application, and those that it says others
 * have. A task for another one would wait for ever, and mostly because of a typing error.
 *
 * @param own empty for an application that only schedules; all names are taken then
 */
record KnownHandlers(Set<String> own, Set<String> elsewhere) {
  void require(ScheduleTaskRequest task) {
    require("handler", task);
  }

  void require(BatchScheduleTasksRequest batch) {
    List<ScheduleTaskRequest> tasks = batch.getTasksList();
    for (int i = 0; i < tasks.size(); i++) {
      require("tasks[" + i + "].handler", tasks.get(i));
    }
  }

  /** Checks the schedule of a request that has one. */
  void requireOf(Object request) {
    switch (request) {
      case CreateScheduleRequest asked -> require(asked.getSchedule());
      case ApplyScheduleRequest asked -> require(asked.getSchedule());
      case PutScheduleRequest asked -> require(asked.getSchedule());
      case UpdateScheduleRequest asked -> require(asked.getSchedule());
      default -> {}
    }
  }

  private void require(Schedule schedule) {
    refusePool("schedule.target.pool", schedule.getTarget().hasPool());
    require("schedule.target.handler", schedule.getTarget().getHandler());
    for (Schedule.Step step : schedule.getStepsList()) {
      require("schedule.steps.target.handler", step.getTarget().getHandler());
    }
  }

  private void require(String field, ScheduleTaskRequest task) {
    refusePool(field, task.hasPool());
    require(field, task.getHandler());
  }

  private static void refusePool(String field, boolean isForPool) {
    if (isForPool) {
      throw new InvalidField(
          field,
          "is a pool, to which servers push: schedule it by the client of a server on the same schema");
    }
  }

  void require(String field, String handler) {
    if (handler.isEmpty()
        || own.isEmpty()
        || own.contains(handler)
        || elsewhere.contains(handler)) {
      return;
    }
    throw new InvalidField(
        field,
        "is %s, which this application has no handler for; it has %s: correct the name, register a handler, or name it by handledElsewhere(...) when others perform its tasks"
            .formatted(handler, new TreeSet<>(own)));
  }
}
