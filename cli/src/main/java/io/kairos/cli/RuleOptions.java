package io.kairos.cli;

import io.kairos.client.ScheduleSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** When a schedule fires. */
final class RuleOptions {
  @ArgGroup @Nullable Rule rule;

  @Option(
      names = "--dialect",
      description = {
        "How the expression is read: unix (Sunday is 0 or 7; when left out) or quartz (Sunday is"
            + " 1)."
      })
  ScheduleSpec.@Nullable Dialect dialect;

  @Option(
      names = "--both-days",
      description =
          "A day must match the day of month and the day of week where both are given; else one is"
              + " enough, as in crontab.")
  boolean bothDays;

  @Option(
      names = {"--zone", "--time-zone"},
      description = "IANA name of the zone, such as Europe/Berlin; UTC when left out.")
  @Nullable String zone;

  @Option(
      names = "--dst-gap",
      description =
          "For a time that the clocks leave out in spring: run_after (when left out) or skip.")
  ScheduleSpec.@Nullable DstGap gap;

  @Option(
      names = "--dst-overlap",
      description = "For a time that comes twice in autumn: first (when left out) or both.")
  ScheduleSpec.@Nullable DstOverlap overlap;

  @Option(
      names = {"--calendar", "--only-during"},
      paramLabel = "CALENDAR",
      description = "Fires only in the open hours of this business calendar; any number.")
  List<String> onlyDuring = List.of();

  @Option(
      names = "--not-during",
      paramLabel = "CALENDAR",
      description = "Fires only outside of its open hours; any number.")
  List<String> notDuring = List.of();

  @Option(
      names = "--working-days",
      paramLabel = "CALENDAR",
      description = "Its open days are what W means in an expression: LW is the last of the month.")
  @Nullable String workingDays;

  @Option(names = "--start", description = "No fire time before, as 2026-12-24T18:00:00Z.")
  @Nullable Instant start;

  @Option(names = "--end", description = "No fire time then or after.")
  @Nullable Instant end;

  @Option(names = "--max-runs", description = "Ends after so many fires.")
  @Nullable Long maxRuns;

  @Option(
      names = "--spread",
      converter = DurationWord.class,
      description = "Each task is due up to so much later, always the same for the same fire time.")
  @Nullable Duration spread;

  /** Exactly one of them. */
  static final class Rule {
    @Option(
        names = "--cron",
        paramLabel = "EXPRESSION",
        description = "Five fields, six with seconds, seven with years; or @hourly, @daily, ...")
    @Nullable String cron;

    @Option(
        names = {"--every", "--interval"},
        converter = DurationWord.class,
        description = "At a fixed rate, such as 90s, 10m or 1h.")
    @Nullable Duration every;

    @Option(
        names = "--delay-after",
        converter = DurationWord.class,
        description = "So long after the end of the former run.")
    @Nullable Duration delayAfter;

    @Option(names = "--at", description = "Once, as 2026-12-24T18:00:00Z.")
    @Nullable Instant at;

    @Option(
        names = "--rrule",
        paramLabel = "RULE",
        description = "A recurrence rule of RFC 5545, such as FREQ=MONTHLY;BYDAY=3MO.")
    @Nullable String rrule;
  }

  /**
   * Whether a rule is named.
   *
   * @param expression a cron expression that was given by itself
   */
  boolean hasRule(@Nullable String expression) {
    return expression != null || rule != null;
  }

  /**
   * Sets what is given.
   *
   * @param expression a cron expression that was given by itself; null for none
   */
  void applyTo(ScheduleSpec.Builder spec, @Nullable String expression) {
    String cron = expression != null || rule == null ? expression : rule.cron;
    if (cron != null) {
      if (dialect == null) {
        spec.cron(cron);
      } else {
        spec.cron(cron, dialect);
      }
      if (bothDays) {
        spec.onDaysThatMatchBoth();
      }
    }
    if (rule != null) {
      applyTo(spec, rule);
    }
    if (zone != null) {
      spec.zone(zone);
    }
    if (gap != null) {
      spec.dstGap(gap);
    }
    if (overlap != null) {
      spec.dstOverlap(overlap);
    }
    onlyDuring.forEach(spec::onlyDuring);
    notDuring.forEach(spec::notDuring);
    if (workingDays != null) {
      spec.workingDays(workingDays);
    }
    if (start != null) {
      spec.startAt(start);
    }
    if (end != null) {
      spec.endAt(end);
    }
    if (maxRuns != null) {
      spec.maxRuns(maxRuns);
    }
    if (spread != null) {
      spec.spread(spread);
    }
  }

  private static void applyTo(ScheduleSpec.Builder spec, Rule rule) {
    if (rule.every != null) {
      spec.every(rule.every);
    }
    if (rule.delayAfter != null) {
      spec.delayAfter(rule.delayAfter);
    }
    if (rule.at != null) {
      spec.at(rule.at);
    }
    if (rule.rrule != null) {
      spec.rrule(rule.rrule);
    }
  }
}
