package io.kairos.cli.text;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Predecessor;
import io.kairos.api.v1.Schedule;
import io.kairos.client.AppliedSchedule;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleStatus;
import io.kairos.client.schedule.Fire;
import io.kairos.client.schedule.PlannedFire;
import io.kairos.domain.time.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Formats schedules as text. */
public final class ScheduleText {
  private ScheduleText() {}

  public static TextTable<ScheduleStatus> list(List<ScheduleStatus> schedules) {
    return TextTable.of(schedules)
        .column("NAME", ScheduleStatus::name)
        .column("STATE", one -> AnswerText.of(one.state()))
        .column("NEXT", ScheduleStatus::nextFireTime)
        .column("RULE", one -> rule(one.spec()))
        .column("TARGET", one -> target(one.spec().wire()));
  }

  public static String describe(ScheduleStatus schedule) {
    boolean replicated = schedule.spec().wire().getDecider() == Schedule.Decider.REPLICATED;
    TextLines lines =
        new TextLines()
            .add("schedule  ", schedule.name())
            .add("rule      ", rule(schedule.spec()))
            .add("          ", schedule.description())
            .add("          ", bounds(schedule.spec().wire()))
            .add("state     ", state(schedule))
            .add(
                "runs      ",
                schedule.remainingRuns() == null ? null : schedule.remainingRuns() + " left")
            .add("target    ", target(schedule.spec().wire().getTarget()));
    String title = "steps     ";
    for (int i = 0; i < schedule.spec().wire().getStepsCount(); i++) {
      lines.add(title, step(i + 1, schedule.spec().wire().getSteps(i)));
      title = "          ";
    }
    lines
        .add("policies  ", policies(schedule.spec().wire().getPolicies()))
        .add("decider   ", replicated ? "replicated" : null)
        .add("created   ", schedule.createdAt() + ", generation " + schedule.generation());
    title = "next      ";
    for (PlannedFire fire : schedule.nextFires()) {
      lines.add(title, planned(fire));
      title = "          ";
    }
    title = "last      ";
    for (Fire fire : schedule.lastFires()) {
      lines.add(title, fire.fireTime() + "  " + fire.explanation());
      title = "          ";
    }
    return lines.toString();
  }

  private static String state(ScheduleStatus schedule) {
    return AnswerText.of(schedule.state())
        + " since "
        + schedule.since()
        + (schedule.note().isEmpty() ? "" : ": " + schedule.note());
  }

  private static String bounds(Schedule wire) {
    List<String> bounds = new ArrayList<>();
    wire.getCalendarsList()
        .forEach(one -> bounds.add(AnswerText.of(one.getUse()) + " " + one.getName()));
    if (wire.hasStartAt()) {
      bounds.add("from " + ProtoTime.of(wire.getStartAt()));
    }
    if (wire.hasEndAt()) {
      bounds.add("until " + ProtoTime.of(wire.getEndAt()));
    }
    if (wire.hasMaxRuns()) {
      bounds.add("at most " + wire.getMaxRuns() + " times");
    }
    if (ProtoTime.of(wire.getSpread()).isPositive()) {
      bounds.add("spread over " + DurationText.of(ProtoTime.of(wire.getSpread())));
    }
    return String.join(", ", bounds);
  }

  public static String planned(PlannedFire fire) {
    String due = fire.runAt().equals(fire.fireTime()) ? "" : ", due " + fire.runAt();
    String note = note(fire);
    return fire.localTime() + (note.isEmpty() ? due : "  " + note);
  }

  public static TextTable<PlannedFire> planned(List<PlannedFire> fires) {
    return TextTable.of(fires)
        .column("FIRE TIME", PlannedFire::fireTime)
        .column("LOCAL TIME", PlannedFire::localTime)
        .column("", ScheduleText::note);
  }

  private static String note(PlannedFire fire) {
    if (fire.skipped() != null) {
      return "skipped: " + AnswerText.of(fire.skipped());
    }
    return fire.movedFrom() == null ? "" : "for " + fire.movedFrom() + ", which clocks skip";
  }

  public static TextTable<Fire> fires(List<Fire> fires) {
    return TextTable.of(fires)
        .column("FIRE TIME", Fire::fireTime)
        .column("DECISION", ScheduleText::decision)
        .column("LATE", fire -> fire.late().toMillis() + " ms")
        .column("TASK", Fire::executionId)
        .column("WHY", Fire::explanation);
  }

  private static String decision(Fire fire) {
    return AnswerText.of(fire.decision())
        + (fire.reason() == null ? "" : " (" + AnswerText.of(fire.reason()) + ")");
  }

  /** Formats what applying a schedule has changed, or with {@code dryRun} would change. */
  public static String applied(AppliedSchedule applied, boolean dryRun) {
    boolean changes = applied.outcome() != AppliedSchedule.Outcome.UNCHANGED;
    StringBuilder text =
        new StringBuilder(applied.schedule().name())
            .append(dryRun && changes ? ": would be " : ": ")
            .append(AnswerText.of(applied.outcome()));
    for (AppliedSchedule.Change change : applied.changes()) {
      text.append(System.lineSeparator())
          .append("  ")
          .append(change.field())
          .append(": ")
          .append(change.before().isEmpty() ? "(not set)" : change.before())
          .append(" -> ")
          .append(change.after().isEmpty() ? "(not set)" : change.after());
    }
    return text.toString();
  }

  static String rule(ScheduleSpec spec) {
    Schedule wire = spec.wire();
    String zone = wire.getTimeZone().isEmpty() ? "UTC" : wire.getTimeZone();
    return switch (wire.getRuleCase()) {
      case CRON ->
          wire.getCron().getExpression()
              + (wire.getCron().getDialect() == Schedule.Cron.Dialect.QUARTZ ? " (quartz)" : "")
              + " "
              + zone;
      case EVERY -> "every " + DurationText.of(ProtoTime.of(wire.getEvery()));
      case DELAY_AFTER ->
          DurationText.of(ProtoTime.of(wire.getDelayAfter())) + " after the former run";
      case AT -> "at " + ProtoTime.of(wire.getAt());
      case RRULE -> wire.getRrule() + " " + zone;
      case RULE_NOT_SET -> "(none)";
    };
  }

  /** A step, by its number from 1. */
  private static String step(int number, Schedule.Step step) {
    return number
        + ": "
        + target(step.getTarget())
        + ", after "
        + step.getAfterList().stream()
            .map(ScheduleText::predecessor)
            .collect(Collectors.joining(", "));
  }

  private static String predecessor(Predecessor after) {
    return after.getIndex()
        + (after.getOnFailure() == Predecessor.OnFailure.FAIL
                || after.getOnFailure() == Predecessor.OnFailure.ON_FAILURE_UNSPECIFIED
            ? ""
            : " (on failure " + AnswerText.of(after.getOnFailure()) + ")");
  }

  private static String target(Schedule schedule) {
    int steps = schedule.getStepsCount();
    return target(schedule.getTarget()) + (steps == 0 ? "" : " and " + steps + " more");
  }

  private static String target(Schedule.Target target) {
    String marks =
        (target.hasPriority() ? ", priority " + target.getPriority() : "")
            + (target.getKey().isEmpty() ? "" : ", key " + target.getKey())
            + (target.getCollection().isEmpty() ? "" : ", collection " + target.getCollection())
            + (target.getFairnessKey().isEmpty() ? "" : ", fairness key " + target.getFairnessKey())
            + (target.hasFairnessWeight() ? ", weight " + target.getFairnessWeight() : "");
    return switch (target.getKindCase()) {
      case HANDLER -> "handler " + target.getHandler() + marks;
      case TOPIC -> "topic " + target.getTopic().getName();
      case POOL ->
          "pool %s, %s %s"
                  .formatted(
                      target.getPool().getName(),
                      target.getPool().getMethod(),
                      target.getPool().getPath())
              + marks;
      case KIND_NOT_SET -> "(none)";
    };
  }

  private static String policies(Schedule.Policies policies) {
    List<String> words = new ArrayList<>();
    words.add("overlap " + AnswerText.of(policies.getOverlap()));
    Schedule.CatchUp catchUp = policies.getCatchUp();
    words.add(
        "catch-up "
            + AnswerText.of(catchUp.getMode())
            + (catchUp.getMode() == Schedule.CatchUp.Mode.ALL
                ? ", at most " + catchUp.getMax()
                : "")
            + (catchUp.getMode() == Schedule.CatchUp.Mode.NONE
                ? ""
                : " within " + DurationText.of(ProtoTime.of(catchUp.getWindow()))));
    if (policies.hasRetryPolicy()) {
      words.add(policies.getRetryPolicy().getMaxAttempts() + " attempts");
    }
    if (policies.hasStartDeadline()) {
      words.add("begins within " + DurationText.of(ProtoTime.of(policies.getStartDeadline())));
    }
    if (policies.hasExecutionTimeout()) {
      words.add("ends within " + DurationText.of(ProtoTime.of(policies.getExecutionTimeout())));
    }
    if (policies.getPauseOnFailure()) {
      words.add("pauses on failure");
    }
    return String.join(", ", words);
  }
}
