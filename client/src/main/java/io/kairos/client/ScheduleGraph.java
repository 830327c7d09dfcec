package io.kairos.client;

import io.kairos.api.v1.Predecessor;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.client.error.InvalidRequestException;
import java.util.List;

/** Writes the tasks of a graph as target and steps of a schedule. */
final class ScheduleGraph {
  private ScheduleGraph() {}

  static void write(Schedule.Builder schedule, List<TaskRequest> tasks) {
    if (tasks.isEmpty()) {
      throw new InvalidRequestException("graph", "must have a task");
    }
    ScheduleTaskRequest first = checked(tasks.get(0).wire());
    if (first.getAfterCount() > 0) {
      throw new InvalidRequestException(
          "graph", "must begin with a task that waits for no other task of it");
    }
    schedule.clearSteps();
    write(schedule.clearTarget().getTargetBuilder(), first);
    if (first.hasRetryPolicy()) {
      schedule.getPoliciesBuilder().setRetryPolicy(first.getRetryPolicy());
    }
    if (first.hasExecutionTimeout()) {
      schedule.getPoliciesBuilder().setExecutionTimeout(first.getExecutionTimeout());
    }
    for (TaskRequest task : tasks.subList(1, tasks.size())) {
      ScheduleTaskRequest wire = checked(task.wire());
      Schedule.Step.Builder step = schedule.addStepsBuilder();
      write(step.getTargetBuilder(), wire);
      if (wire.hasRetryPolicy()) {
        step.setRetryPolicy(wire.getRetryPolicy());
      }
      if (wire.hasExecutionTimeout()) {
        step.setExecutionTimeout(wire.getExecutionTimeout());
      }
      step.addAllAfter(wire.getAfterList());
    }
  }

  /** Refuses what only a task that is scheduled by itself can have. */
  private static ScheduleTaskRequest checked(ScheduleTaskRequest task) {
    ScheduleTaskRequest others =
        task.toBuilder()
            .clearHandler()
            .clearTopic()
            .clearPool()
            .clearPayload()
            .clearText()
            .clearJson()
            .clearPriority()
            .clearKey()
            .clearCollection()
            .clearFairnessKey()
            .clearFairnessWeight()
            .clearRetryPolicy()
            .clearExecutionTimeout()
            .clearAfter()
            .build();
    if (!others.equals(ScheduleTaskRequest.getDefaultInstance())) {
      throw new InvalidRequestException(
          "graph",
          "must have tasks without due time, deadline, trace context and idempotency, which the"
              + " schedule sets, and without batch");
    }
    if (task.getAfterList().stream().anyMatch(ScheduleGraph::isStored)) {
      throw new InvalidRequestException(
          "graph", "must have tasks that wait for tasks of the graph alone");
    }
    return task;
  }

  private static boolean isStored(Predecessor predecessor) {
    return !predecessor.getId().isEmpty();
  }

  private static void write(Schedule.Target.Builder target, ScheduleTaskRequest task) {
    if (task.hasTopic()) {
      target.setTopic(task.getTopic());
    } else if (task.hasPool()) {
      target.setPool(task.getPool());
    } else {
      target.setHandler(task.getHandler());
    }
    target
        .setKey(task.getKey())
        .setCollection(task.getCollection())
        .setFairnessKey(task.getFairnessKey())
        .setPayload(task.getPayload());
    if (task.hasText()) {
      target.setText(task.getText());
    }
    if (task.hasJson()) {
      target.setJson(task.getJson());
    }
    if (task.hasPriority()) {
      target.setPriority(task.getPriority());
    }
    if (task.hasFairnessWeight()) {
      target.setFairnessWeight(task.getFairnessWeight());
    }
  }
}
