package io.kairos.domain.schedule.fire;

import io.kairos.domain.schedule.Bounds;
import io.kairos.domain.schedule.Gap;
import io.kairos.domain.schedule.Overlap;
import io.kairos.domain.schedule.Pattern;
import io.kairos.domain.schedule.Spread;
import io.kairos.domain.schedule.Terms;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.WallClock;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.cron.Dialect;
import io.kairos.domain.schedule.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;

/**
 * The time rule of a schedule as it is written and stored. What it means is read from it again each
 * time, by the rules of zones and calendars as they are then.
 *
 * @param text an expression, an ISO-8601 duration or instant, or a recurrence rule
 * @param dialect how weekdays of an expression are counted
 * @param days what two restricted day fields of an expression mean
 * @param zone an IANA zone
 */
public record Rule(
    Kind kind,
    String text,
    Dialect dialect,
    DayMatch days,
    String zone,
    Gap gap,
    Overlap repeated,
    List<CalendarUse> calendars) {
  /** Kinds of rules. */
  public enum Kind {
    CRON,
    /** Fixed rate: again and again after so long, from the start of the schedule. */
    EVERY,
    /** Fixed delay: so long after the end of the last run. */
    DELAY,
    AT,
    RRULE
  }

  public Rule {
    calendars = List.copyOf(calendars);
  }

  /** By UTC, with the defaults. */
  public static Rule of(Kind kind, String text) {
    return new Rule(
        kind,
        text,
        Dialect.UNIX,
        DayMatch.EITHER,
        "UTC",
        Gap.RUN_ONCE_AFTER,
        Overlap.FIRST,
        List.of());
  }

  /** The calendars that it names, each once. */
  public List<CalendarName> calendarNames() {
    return calendars.stream().map(CalendarUse::calendar).distinct().sorted().toList();
  }

  /**
   * What it means.
   *
   * @param seed what {@code H} depends on
   * @param anchor where a fixed rate begins, and a recurrence rule
   * @throws io.kairos.domain.schedule.text.RefusedExpressionException that points at the place
   * @throws java.time.DateTimeException for an unknown zone, duration or instant
   */
  public TimeRule read(String seed, Instant anchor, Bounds bounds, Spread spread) {
    Terms terms =
        new Terms(new WallClock(ZoneId.of(zone), gap, repeated), calendars, bounds, spread);
    return switch (kind) {
      case CRON ->
          new TimeRule.Planned(
              Pattern.parse(text, new CronSyntax(dialect, days), seed, wholeSecond(anchor)), terms);
      case EVERY ->
          new TimeRule.Planned(
              new Pattern.FixedRate(Duration.parse(text), wholeSecond(anchor)), terms);
      case DELAY -> new TimeRule.FixedDelay(Duration.parse(text), terms);
      case AT -> new TimeRule.Planned(new Pattern.Once(Instant.parse(text)), terms);
      case RRULE ->
          new TimeRule.Planned(
              new Pattern.Recurring(
                  Recurrence.parse(
                      text,
                      LocalDateTime.ofInstant(wholeSecond(anchor), ZoneId.of(zone)),
                      ZoneId.of(zone))),
              terms);
    };
  }

  private static Instant wholeSecond(Instant anchor) {
    return Instant.ofEpochSecond(anchor.getEpochSecond());
  }
}
