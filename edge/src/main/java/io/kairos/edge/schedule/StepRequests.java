package io.kairos.edge.schedule;

import static io.kairos.edge.refusal.InvalidField.readingAll;
import static io.kairos.edge.refusal.InvalidField.require;

import io.kairos.api.v1.Predecessor;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.edge.call.GivenPayload;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.task.GraphRequests;
import io.kairos.edge.task.PoolTargets;
import io.kairos.edge.task.TaskRequests;
import io.kairos.engine.task.edge.TaskSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks the steps of a schedule in the same way as the tasks that they will become. Throws {@link
 * InvalidField} that names the field within the schedule, such as {@code steps[2].after[0].index}.
 * Whether the steps are a graph is checked with the whole definition. Asks the store for a pool
 * that the node does not know.
 */
record StepRequests(TaskRequests tasks, PoolTargets pools) {
  /** Fields of a task that are fields of a step itself; the others are of its target. */
  private static final Set<String> OF_A_STEP = Set.of("retry_policy", "execution_timeout");

  List<ScheduleStep> steps(Schedule given) {
    require(
        given.getStepsCount() <= ScheduleStep.MOST,
        "steps",
        "must be at most " + ScheduleStep.MOST);
    List<ScheduleStep> steps = new ArrayList<>(given.getStepsCount());
    for (int i = 0; i < given.getStepsCount(); i++) {
      Schedule.Step step = given.getSteps(i);
      String place = "steps[" + i + "]";
      steps.add(
          InvalidField.within(
              place,
              () ->
                  new ScheduleStep(
                      target(step, "schedule." + place + ".target.pool.name"),
                      readingAll("after", step.getAfterList(), StepRequests::after))));
    }
    return steps;
  }

  private ScheduleTarget.Handler target(Schedule.Step step, String poolField) {
    Schedule.Target target =
        GivenPayload.inBytes("target.", Schedule.Target.class, step.getTarget());
    ScheduleTaskRequest.Builder task = TargetRequests.marked(target);
    switch (target.getKindCase()) {
      case HANDLER -> task.setHandler(target.getHandler());
      case POOL -> task.setPool(target.getPool());
      case TOPIC, KIND_NOT_SET ->
          throw new InvalidField("target.handler", "it or pool must be given");
    }
    if (step.hasRetryPolicy()) {
      task.setRetryPolicy(step.getRetryPolicy());
    }
    if (step.hasExecutionTimeout()) {
      task.setExecutionTimeout(step.getExecutionTimeout());
    }
    List<TaskSpec> specs;
    try {
      specs = tasks.one(task.build());
    } catch (InvalidField e) {
      throw isOfAStep(e.field()) ? e : e.in("target");
    }
    pools.require(pools.unknown(specs), poolField);
    TaskSpec spec = specs.getFirst();
    return new ScheduleTarget.Handler(spec.queue(), spec.details());
  }

  private static boolean isOfAStep(String field) {
    return OF_A_STEP.stream().anyMatch(field::startsWith);
  }

  private static ScheduleStep.After after(Predecessor given) {
    require(
        given.hasIndex() && given.getId().isEmpty() && given.getBatch().isEmpty(),
        "index",
        "must be given, and neither id nor batch: 0 is the task of target, 1 the first step");
    return new ScheduleStep.After(
        given.getIndex(),
        GraphRequests.ON_FAILURES.read("on_failure", given.getOnFailure(), OnFailure.FAIL));
  }
}
