package io.kairos.cli;

import io.kairos.api.text.DurationText;
import io.kairos.api.v1.Schedule;
import io.kairos.cli.text.Table;
import io.kairos.client.Applied;
import io.kairos.client.Fire;
import io.kairos.client.PlannedFire;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Schedules as people read them. */
final class ScheduleText {
  private ScheduleText() {}

  static Table list(List<ScheduleStatus> schedules) {
    Table table = new Table("NAME", "STATE", "NEXT", "RULE", "TARGET");
    for (ScheduleStatus one : schedules) {
      table.row(
          one.name(),
          Words.of(one.state()),
          one.nextFireTime(),
          rule(one.spec()),
          target(one.spec()));
    }
    return table;
  }

  static String describe(ScheduleStatus schedule) {
    List<String> lines = new ArrayList<>();
    lines.add("schedule  " + schedule.name());
    lines.add("rule      " + rule(schedule.spec()));
    lines.add("          " + schedule.description());
    bounds(schedule.spec().wire(), lines);
    lines.add(
        "state     "
            + Words.of(schedule.state())
            + " since "
            + schedule.since()
            + (schedule.note().isEmpty() ? "" : ": " + schedule.note()));
    if (schedule.remainingRuns() != null) {
      lines.add("runs      " + schedule.remainingRuns() + " left");
    }
    lines.add("target    " + target(schedule.spec()));
    lines.add("policies  " + policies(schedule.spec().wire().getPolicies()));
    if (schedule.spec().wire().getDecider() == Schedule.Decider.REPLICATED) {
      lines.add("decider   replicated");
    }
    lines.add("created   " + schedule.createdAt() + ", generation " + schedule.generation());
    String title = "next      ";
    for (PlannedFire fire : schedule.nextFires()) {
      lines.add(title + planned(fire));
      title = "          ";
    }
    title = "last      ";
    for (Fire fire : schedule.lastFires()) {
      lines.add(title + fire.fireTime() + "  " + fire.explanation());
      title = "          ";
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static void bounds(Schedule wire, List<String> lines) {
    List<String> bounds = new ArrayList<>();
    wire.getCalendarsList()
        .forEach(one -> bounds.add(Words.of(one.getUse()) + " " + one.getName()));
    if (wire.hasStartAt()) {
      bounds.add("from " + instant(wire.getStartAt()));
    }
    if (wire.hasEndAt()) {
      bounds.add("until " + instant(wire.getEndAt()));
    }
    if (wire.hasMaxRuns()) {
      bounds.add("at most " + wire.getMaxRuns() + " times");
    }
    if (length(wire.getSpread()).isPositive()) {
      bounds.add("spread over " + DurationText.of(length(wire.getSpread())));
    }
    if (!bounds.isEmpty()) {
      lines.add("          " + String.join(", ", bounds));
    }
  }

  static String planned(PlannedFire fire) {
    String due = fire.runAt().equals(fire.fireTime()) ? "" : ", due " + fire.runAt();
    return fire.localTime()
        + (fire.skipped() == null ? due : "  skipped: " + Words.of(fire.skipped()));
  }

  static Table planned(List<PlannedFire> fires) {
    Table table = new Table("FIRE TIME", "LOCAL TIME", "");
    for (PlannedFire fire : fires) {
      table.row(
          fire.fireTime(),
          fire.localTime(),
          fire.skipped() == null ? "" : "skipped: " + Words.of(fire.skipped()));
    }
    return table;
  }

  static Table fires(List<Fire> fires) {
    Table table = new Table("FIRE TIME", "DECISION", "LATE", "TASK", "WHY");
    for (Fire fire : fires) {
      table.row(
          fire.fireTime(),
          Words.of(fire.decision())
              + (fire.reason() == null ? "" : " (" + Words.of(fire.reason()) + ")"),
          fire.late().toMillis() + " ms",
          fire.executionId(),
          fire.explanation());
    }
    return table;
  }

  static String applied(Applied applied) {
    StringBuilder text =
        new StringBuilder(applied.schedule().name())
            .append(": ")
            .append(Words.of(applied.outcome()));
    for (Applied.Change change : applied.changes()) {
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
      case EVERY -> "every " + DurationText.of(length(wire.getEvery()));
      case DELAY_AFTER -> DurationText.of(length(wire.getDelayAfter())) + " after the former run";
      case AT -> "at " + instant(wire.getAt());
      case RRULE -> wire.getRrule() + " " + zone;
      case RULE_NOT_SET -> "(none)";
    };
  }

  private static String target(ScheduleSpec spec) {
    Schedule.Target target = spec.wire().getTarget();
    String marks =
        (target.hasPriority() ? ", priority " + target.getPriority() : "")
            + (target.getKey().isEmpty() ? "" : ", key " + target.getKey())
            + (target.getCollection().isEmpty() ? "" : ", collection " + target.getCollection());
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
    words.add("overlap " + Words.of(policies.getOverlap()));
    Schedule.CatchUp catchUp = policies.getCatchUp();
    words.add(
        "catch-up "
            + Words.of(catchUp.getMode())
            + (catchUp.getMode() == Schedule.CatchUp.Mode.ALL
                ? ", at most " + catchUp.getMax()
                : "")
            + (catchUp.getMode() == Schedule.CatchUp.Mode.NONE
                ? ""
                : " within " + DurationText.of(length(catchUp.getWindow()))));
    if (policies.hasRetryPolicy()) {
      words.add(policies.getRetryPolicy().getMaxAttempts() + " attempts");
    }
    if (policies.hasStartDeadline()) {
      words.add("begins within " + DurationText.of(length(policies.getStartDeadline())));
    }
    if (policies.hasExecutionTimeout()) {
      words.add("ends within " + DurationText.of(length(policies.getExecutionTimeout())));
    }
    if (policies.getPauseOnFailure()) {
      words.add("pauses on failure");
    }
    return String.join(", ", words);
  }

  private static Duration length(com.google.protobuf.Duration wire) {
    return Duration.ofSeconds(wire.getSeconds(), wire.getNanos());
  }

  private static Instant instant(com.google.protobuf.Timestamp wire) {
    return Instant.ofEpochSecond(wire.getSeconds(), wire.getNanos());
  }
}
