package io.kairos.cli.option;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.client.ScheduleSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** When a schedule fires. */
public final class RuleOptions {
  @ArgGroup @Nullable Rule rule;

  @Option(
      names = "--dialect",
      description = {
        "Dialect of the expression: unix (Sunday is 0 or 7; when left out) or quartz (Sunday is"
            + " 1)."
      })
  ScheduleSpec.@Nullable Dialect dialect;

  @Option(
      names = "--both-days",
      description = "Restricted day fields must both match; when left out, one of them suffices.")
  boolean bothDays;

  @Option(
      names = {"--zone", "--time-zone"},
      description = "IANA name of the time zone, such as Europe/Berlin; UTC when left out.")
  @Nullable String zone;

  @Option(
      names = "--dst-gap",
      description = "For local times that daylight saving time skips: run_after (default) or skip.")
  ScheduleSpec.@Nullable DstGap gap;

  @Option(
      names = "--dst-overlap",
      description = "For local times that daylight saving time repeats: first (default) or both.")
  ScheduleSpec.@Nullable DstOverlap overlap;

  @Option(
      names = {"--calendar", "--only-during"},
      paramLabel = "CALENDAR",
      description = "Fires only in the open hours of this business calendar; may be repeated.")
  List<String> onlyDuring = List.of();

  @Option(
      names = "--not-during",
      paramLabel = "CALENDAR",
      description = "Never fires in the open hours of this business calendar; may be repeated.")
  List<String> notDuring = List.of();

  @Option(
      names = "--working-days",
      paramLabel = "CALENDAR",
      description = "Business calendar whose open days are the working days for W in expressions.")
  @Nullable String workingDays;

  @Option(
      names = "--start",
      description = "No fire time is before this time, such as 2026-12-24T18:00:00Z.")
  @Nullable Instant start;

  @Option(names = "--end", description = "No fire time is at or after this time.")
  @Nullable Instant end;

  @Option(names = "--max-runs", description = "Ends the schedule after this number of fires.")
  @Nullable Long maxRuns;

  @Option(
      names = "--spread",
      description = "Jitter: a task is due up to this long after its fire time, fixed for each.")
  @Nullable Duration spread;

  /** The rule: exactly one option. */
  static final class Rule {
    @Option(
        names = "--cron",
        paramLabel = "EXPRESSION",
        description = "Cron expression of five to seven fields (seconds, years), or @daily, ...")
    @Nullable String cron;

    @Option(
        names = {"--every", "--interval"},
        description = "At a fixed rate, such as 90s, 10m or 1h.")
    @Nullable Duration every;

    @Option(
        names = "--delay-after",
        description = "At a fixed delay after the end of the previous run.")
    @Nullable Duration delayAfter;

    @Option(names = "--at", description = "Once, at a time such as 2026-12-24T18:00:00Z.")
    @Nullable Instant at;

    @Option(
        names = "--rrule",
        paramLabel = "RULE",
        description = "A recurrence rule of RFC 5545, such as FREQ=MONTHLY;BYDAY=3MO.")
    @Nullable String rrule;
  }

  /**
   * True when a rule is given.
   *
   * @param expression cron expression that was given as a parameter
   */
  public boolean hasRule(@Nullable String expression) {
    return expression != null || rule != null;
  }

  /**
   * Sets the given options on a schedule.
   *
   * @param expression cron expression that was given as a parameter; null for none
   */
  public void applyTo(ScheduleSpec.Builder spec, @Nullable String expression) {
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
    ifGiven(zone, spec::zone);
    ifGiven(gap, spec::dstGap);
    ifGiven(overlap, spec::dstOverlap);
    onlyDuring.forEach(spec::onlyDuring);
    notDuring.forEach(spec::notDuring);
    ifGiven(workingDays, spec::workingDays);
    ifGiven(start, spec::startAt);
    ifGiven(end, spec::endAt);
    ifGiven(maxRuns, spec::maxRuns);
    ifGiven(spread, spec::spread);
  }

  private static void applyTo(ScheduleSpec.Builder spec, Rule rule) {
    ifGiven(rule.every, spec::every);
    ifGiven(rule.delayAfter, spec::delayAfter);
    ifGiven(rule.at, spec::at);
    ifGiven(rule.rrule, spec::rrule);
  }
}
