package io.kairos.domain.schedule.definition;

import io.kairos.domain.schedule.ClockGap;
import io.kairos.domain.schedule.ClockOverlap;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RuleTerms;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.ScheduleClock;
import io.kairos.domain.schedule.TimePattern;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.cron.CronDialect;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;

/**
 * The time rule of a schedule as it is written and stored. It is read again each time, by the
 * present rules of zones and calendars.
 *
 * @param text an expression, an ISO-8601 duration or instant, or a recurrence rule
 * @param dialect the numbers of weekdays in an expression
 * @param days the meaning of two restricted day fields of an expression
 * @param zone an IANA zone
 */
public record ScheduleRule(
    Kind kind,
    String text,
    CronDialect dialect,
    DayMatch days,
    String zone,
    ClockGap gap,
    ClockOverlap repeated,
    List<CalendarUse> calendars) {
  /** Kinds of rules. */
  public enum Kind {
    CRON,
    /** Fixed rate: at equal intervals, from the start of the schedule. */
    EVERY,
    /** Fixed delay: so long after the end of the last run. */
    DELAY,
    AT,
    RRULE
  }

  public ScheduleRule {
    calendars = List.copyOf(calendars);
  }

  /** Returns a rule in UTC, with the defaults. */
  public static ScheduleRule of(Kind kind, String text) {
    return new ScheduleRule(
        kind,
        text,
        CronDialect.UNIX,
        DayMatch.EITHER,
        "UTC",
        ClockGap.RUN_ONCE_AFTER,
        ClockOverlap.FIRST,
        List.of());
  }

  /** Returns the calendars that the rule names, each once. */
  public List<CalendarName> calendarNames() {
    return calendars.stream().map(CalendarUse::calendar).distinct().sorted().toList();
  }

  /**
   * Reads the rule.
   *
   * @param seed the text on which {@code H} depends
   * @param anchor the start of a fixed rate and of a recurrence rule
   * @throws io.kairos.domain.schedule.text.RefusedExpressionException that points at the place
   * @throws java.time.DateTimeException for an unknown zone, duration or instant
   */
  public TimeRule read(String seed, Instant anchor, RuleBounds bounds, RunSpread spread) {
    RuleTerms terms =
        new RuleTerms(new ScheduleClock(ZoneId.of(zone), gap, repeated), calendars, bounds, spread);
    Instant second = Instant.ofEpochSecond(anchor.getEpochSecond());
    TimePattern pattern =
        switch (kind) {
          case CRON -> TimePattern.parse(text, new CronSyntax(dialect, days), seed, second);
          case EVERY -> new TimePattern.FixedRate(Duration.parse(text), second);
          case DELAY -> new TimePattern.FixedDelay(Duration.parse(text));
          case AT -> new TimePattern.Once(Instant.parse(text));
          case RRULE -> {
            LocalDateTime start = LocalDateTime.ofInstant(second, terms.clock().zone());
            yield new TimePattern.Recurring(Recurrence.parse(text, start, terms.clock().zone()));
          }
        };
    return new TimeRule(pattern, terms);
  }
}
