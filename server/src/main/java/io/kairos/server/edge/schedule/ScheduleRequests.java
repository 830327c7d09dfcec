package io.kairos.server.edge.schedule;

import static io.kairos.server.edge.refusal.InvalidField.require;

import io.kairos.api.v1.Schedule;
import io.kairos.domain.schedule.Bounds;
import io.kairos.domain.schedule.Spread;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.fire.CatchUp;
import io.kairos.domain.schedule.fire.DecidedBy;
import io.kairos.domain.schedule.fire.Definition;
import io.kairos.domain.schedule.fire.OverlapPolicy;
import io.kairos.domain.schedule.fire.Policies;
import io.kairos.domain.schedule.fire.Rule;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Target;
import io.kairos.server.edge.refusal.InvalidField;
import io.kairos.server.edge.task.Fields;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Schedules that somebody wants, checked as a whole and in the domain's words. Throws {@link
 * InvalidField} that names the field within the schedule.
 */
final class ScheduleRequests {
  private static final int MOST_IN_A_NOTE = 500;
  private static final int MOST_IN_A_REQUEST_ID = 128;

  private final TargetRequests targets;

  ScheduleRequests(TargetRequests targets) {
    this.targets = targets;
  }

  /** A schedule that can be stored. */
  record Wanted(ScheduleName name, Definition definition, TimeRule rule) {}

  /**
   * Checks all of it.
   *
   * @param createdAt where a fixed rate begins that names no start
   */
  Wanted wanted(Schedule given, Instant createdAt) {
    ScheduleName name = name("name", given.getName());
    Rule rule = RuleRequests.rule(given);
    Bounds bounds = RuleRequests.bounds(given);
    Spread spread = RuleRequests.spread(given);
    TimeRule read = RuleRequests.read(given, rule, bounds, spread, createdAt);
    Target target = targets.target(given);
    Policies policies = policies(given, target);
    try {
      return new Wanted(name, new Definition(rule, bounds, spread, target, policies), read);
    } catch (IllegalArgumentException e) {
      // The definition says the field first.
      String[] words = String.valueOf(e.getMessage()).split(" ", 2);
      throw new InvalidField(words[0], words[words.length - 1]);
    }
  }

  static ScheduleName name(String field, String given) {
    try {
      return new ScheduleName(given);
    } catch (IllegalArgumentException _) {
      throw new InvalidField(field, "must have " + ScheduleName.RULE);
    }
  }

  private static Policies policies(Schedule whole, Target target) {
    Schedule.Policies given = whole.getPolicies();
    OverlapPolicy shipped =
        target instanceof Target.Topic ? OverlapPolicy.ALLOW_ALL : Policies.DEFAULT.overlap();
    OverlapPolicy overlap = overlap("policies.overlap", given.getOverlap());
    @Nullable Duration deadline = null;
    if (given.hasStartDeadline()) {
      deadline = Fields.duration("policies.start_deadline", given.getStartDeadline(), Fields.YEAR);
      require(deadline.isPositive(), "policies.start_deadline", "must be more than nothing");
    }
    DecidedBy decider = decider("decider", whole.getDecider());
    return new Policies(
        overlap == null ? shipped : overlap,
        catchUp(given.getCatchUp()),
        deadline,
        given.getPauseOnFailure(),
        decider == null ? Policies.DEFAULT.decider() : decider);
  }

  /** Null when it is left out. */
  static @Nullable DecidedBy decider(String field, Schedule.Decider given) {
    return switch (given) {
      case DECIDER_UNSPECIFIED -> null;
      case NODE -> DecidedBy.NODE;
      case REPLICATED -> DecidedBy.REPLICATED;
      case UNRECOGNIZED -> throw new InvalidField(field, "must be NODE or REPLICATED");
    };
  }

  /** Null when it is left out. */
  static @Nullable OverlapPolicy overlap(String field, Schedule.Policies.Overlap given) {
    return switch (given) {
      case OVERLAP_UNSPECIFIED -> null;
      case SKIP -> OverlapPolicy.SKIP;
      case BUFFER_ONE -> OverlapPolicy.BUFFER_ONE;
      case BUFFER_ALL -> OverlapPolicy.BUFFER_ALL;
      case CANCEL_OTHER -> OverlapPolicy.CANCEL_OTHER;
      case ALLOW_ALL -> OverlapPolicy.ALLOW_ALL;
      case UNRECOGNIZED ->
          throw new InvalidField(
              field, "must be SKIP, BUFFER_ONE, BUFFER_ALL, CANCEL_OTHER or ALLOW_ALL");
    };
  }

  private static CatchUp catchUp(Schedule.CatchUp given) {
    CatchUp shipped = CatchUp.DEFAULT;
    int max = given.getMax() == 0 ? shipped.max() : given.getMax();
    require(max >= 1 && max <= CatchUp.MOST, "policies.catch_up.max", "must be 1 to 1,000");
    return new CatchUp(
        switch (given.getMode()) {
          case MODE_UNSPECIFIED -> shipped.mode();
          case NONE -> CatchUp.Mode.NONE;
          case LATEST -> CatchUp.Mode.LATEST;
          case ALL -> CatchUp.Mode.ALL;
          case UNRECOGNIZED ->
              throw new InvalidField("policies.catch_up.mode", "must be NONE, LATEST or ALL");
        },
        given.hasWindow()
            ? Fields.duration("policies.catch_up.window", given.getWindow(), CatchUp.LONGEST_WINDOW)
            : shipped.window(),
        max);
  }

  static String note(String given) {
    require(
        given.length() <= MOST_IN_A_NOTE && given.indexOf('\0') < 0,
        "note",
        "must be at most 500 characters, without U+0000");
    return given;
  }

  /** As it is given; empty when the node has to make one. */
  static String requestId(String given) {
    require(
        given.length() <= MOST_IN_A_REQUEST_ID && given.chars().noneMatch(Character::isISOControl),
        "request_id",
        "must have 1 to 128 characters, and no control characters");
    return given;
  }
}
