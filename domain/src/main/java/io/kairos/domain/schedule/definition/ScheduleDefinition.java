package io.kairos.domain.schedule.definition;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.task.graph.TaskGraph;
import java.time.Instant;
import java.util.List;

/**
 * The definition of a schedule.
 *
 * @param bounds its start, which a fixed rate counts from, its end and its number of runs
 * @param spread the jitter of its runs
 * @param steps further tasks of each run, which wait for that of the target and for each other
 */
public record ScheduleDefinition(
    ScheduleRule rule,
    RuleBounds bounds,
    RunSpread spread,
    ScheduleTarget target,
    FirePolicies policies,
    List<ScheduleStep> steps) {
  /** Most edges by which one run waits for the others. */
  private static final int MOST_AWAITED = 1_000;

  private static final int MOST_IN_TURN = 100;

  /** Makes the definition of a schedule whose runs are one task or message each. */
  public ScheduleDefinition(
      ScheduleRule rule,
      RuleBounds bounds,
      RunSpread spread,
      ScheduleTarget target,
      FirePolicies policies) {
    this(rule, bounds, spread, target, policies, List.of());
  }

  /** Throws {@link IllegalArgumentException} whose first word is the field that does not fit. */
  public ScheduleDefinition {
    steps = List.copyOf(steps);
    if (target instanceof ScheduleTarget.Topic) {
      require(
          policies.overlap() == OverlapPolicy.ALLOW_ALL,
          "policies.overlap must be ALLOW_ALL for a topic: a message has no end to wait for");
      require(
          rule.kind() != ScheduleRule.Kind.DELAY,
          "delay_after needs runs that end, and a message on a topic has no end");
      require(
          !policies.pauseOnFailure(),
          "policies.pause_on_failure needs runs that end, and a message on a topic has no end");
      require(
          steps.isEmpty(),
          "steps wait for a task of a handler or a pool: a message on a topic has no end");
    }
    if (target instanceof ScheduleTarget.Handler handler && handler.details().key() != null) {
      require(
          !policies.overlap().inTurn(),
          "policies.overlap "
              + policies.overlap()
              + " brings an ordering key of its own: leave out the target's");
    }
    ScheduleStep.check(steps);
  }

  /** The number of tasks or messages of a run. */
  public int tasks() {
    return 1 + steps.size();
  }

  /**
   * The most unfinished runs that the policy {@link OverlapPolicy#BUFFER_ALL} makes, because each
   * run of several tasks waits for all unfinished tasks of the runs before it. Single tasks follow
   * each other by their ordering key, in any number.
   */
  public int mostInTurn() {
    long beginnings = 1 + steps.stream().filter(step -> !step.needsSuccess()).count();
    return steps.isEmpty()
        ? Integer.MAX_VALUE
        : Math.clamp(MOST_AWAITED / (tasks() * beginnings), 2, MOST_IN_TURN);
  }

  /** The bytes of payload of a run. */
  public int bytes() {
    return target.bytes() + steps.stream().mapToInt(step -> step.target().bytes()).sum();
  }

  /** The tasks of a run with their edges: member 0 is the task of the target. */
  public TaskGraph graph() {
    return ScheduleStep.graph(steps);
  }

  /** The same with an empty payload. */
  ScheduleDefinition withoutPayload() {
    return new ScheduleDefinition(
        rule,
        bounds,
        spread,
        target.withoutPayload(),
        policies,
        steps.stream().map(ScheduleStep::withoutPayload).toList());
  }

  /**
   * Returns the rule, read for a schedule.
   *
   * @throws io.kairos.domain.schedule.text.RefusedExpressionException that points at the place
   * @throws java.time.DateTimeException for an unknown zone, duration or instant
   */
  public TimeRule timeRule(ScheduleName name, Instant createdAt) {
    Instant start = bounds.start();
    return rule.read(name.value(), start == null ? createdAt : start, bounds, spread);
  }
}
