package io.kairos.edge.schedule;

import static io.kairos.edge.refusal.InvalidField.reading;
import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.duration;

import io.kairos.api.v1.Schedule;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.definition.CatchUpPolicy;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.task.RequestFields;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks whole schedules and translates them for the domain. Throws {@link InvalidField} that names
 * the field within the schedule.
 */
record ScheduleRequests(TargetRequests targets) {
  private static final int MOST_IN_A_REQUEST_ID = 128;

  /** A checked schedule that can be stored. */
  record Wanted(ScheduleName name, ScheduleDefinition definition, TimeRule rule) {}

  /**
   * Checks a whole schedule.
   *
   * @param createdAt start of a fixed rate that has no start of its own
   */
  Wanted wanted(Schedule given, Instant createdAt) {
    ScheduleName name = name("name", given.getName());
    ScheduleRule rule = RuleRequests.rule(given);
    RuleBounds bounds = RuleRequests.bounds(given);
    RunSpread spread = RuleRequests.spread(given);
    TimeRule read = RuleRequests.read(given, rule, bounds, spread, createdAt);
    ScheduleTarget target = targets.target(given);
    FirePolicies policies = policies(given, target);
    List<ScheduleStep> steps = targets.steps(given);
    try {
      return new Wanted(
          name, new ScheduleDefinition(rule, bounds, spread, target, policies, steps), read);
    } catch (IllegalArgumentException e) {
      // The definition's message begins with the name of the field.
      String[] words = String.valueOf(e.getMessage()).split(" ", 2);
      throw new InvalidField(words[0], words[words.length - 1]);
    }
  }

  static ScheduleName name(String field, String given) {
    return reading(field, "must have " + ScheduleName.RULE, () -> new ScheduleName(given));
  }

  private static FirePolicies policies(Schedule whole, ScheduleTarget target) {
    Schedule.Policies given = whole.getPolicies();
    OverlapPolicy shipped =
        target instanceof ScheduleTarget.Topic
            ? OverlapPolicy.ALLOW_ALL
            : FirePolicies.DEFAULT.overlap();
    @Nullable Duration deadline = null;
    if (given.hasStartDeadline()) {
      deadline = duration("policies.start_deadline", given.getStartDeadline(), RequestFields.YEAR);
      require(deadline.isPositive(), "policies.start_deadline", "must be more than nothing");
    }
    return new FirePolicies(
        DefinitionAnswers.OVERLAPS.read("policies.overlap", given.getOverlap(), shipped),
        catchUp(given.getCatchUp()),
        deadline,
        given.getPauseOnFailure(),
        DefinitionAnswers.DECIDERS.read(
            "decider", whole.getDecider(), FirePolicies.DEFAULT.decider()));
  }

  private static CatchUpPolicy catchUp(Schedule.CatchUp given) {
    CatchUpPolicy shipped = CatchUpPolicy.DEFAULT;
    int max = given.getMax() == 0 ? shipped.max() : given.getMax();
    require(max >= 1 && max <= CatchUpPolicy.MOST, "policies.catch_up.max", "must be 1 to 1,000");
    return new CatchUpPolicy(
        DefinitionAnswers.CATCH_UPS.read("policies.catch_up.mode", given.getMode(), shipped.mode()),
        duration(given, "policies.catch_up.window", CatchUpPolicy.LONGEST_WINDOW, shipped.window()),
        max);
  }

  /** Checks a request's id; empty when the node is to make one. */
  static String requestId(String given) {
    require(
        given.length() <= MOST_IN_A_REQUEST_ID && given.chars().noneMatch(Character::isISOControl),
        "request_id",
        "must have 1 to 128 characters, and no control characters");
    return given;
  }
}
