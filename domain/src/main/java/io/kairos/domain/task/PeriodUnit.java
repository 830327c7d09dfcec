package io.kairos.domain.task;

import io.kairos.domain.time.EpochMicros;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/**
 * A period of the calendar in which tasks with one idempotency key are one task, as unique jobs of
 * River are by a period. Days and longer periods begin at the start of a day in a time zone, so a
 * day may have 23 or 25 hours.
 */
public enum PeriodUnit {
  MINUTE,
  HOUR,
  DAY,
  /** From Monday on. */
  WEEK,
  MONTH;

  /**
   * Returns the window of the period that a due time is in. Minutes and hours begin by the offset
   * of the due time, so an hour lasts an hour also where clocks change by half of one. It lasts
   * until the end of the period, and at least for its length from now on, so that a task that is
   * due in the past is deduplicated as well.
   */
  public TaskIdempotency.Window.Period around(Instant due, ZoneId zone, Instant now) {
    boolean isOfClock = this == MINUTE || this == HOUR;
    ZoneId whole = isOfClock ? zone.getRules().getOffset(due) : zone;
    Instant start = start(due.atZone(whole)).toInstant();
    Instant end = end(start.atZone(whole)).toInstant();
    Instant least = now.plus(Duration.between(start, end));
    return new TaskIdempotency.Window.Period(
        this, EpochMicros.of(start), EpochMicros.of(end.isBefore(least) ? least : end));
  }

  private ZonedDateTime start(ZonedDateTime time) {
    LocalDate day = time.toLocalDate();
    return switch (this) {
      case MINUTE -> time.truncatedTo(ChronoUnit.MINUTES);
      case HOUR -> time.truncatedTo(ChronoUnit.HOURS);
      case DAY -> day.atStartOfDay(time.getZone());
      case WEEK ->
          day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).atStartOfDay(time.getZone());
      case MONTH -> day.withDayOfMonth(1).atStartOfDay(time.getZone());
    };
  }

  private ZonedDateTime end(ZonedDateTime start) {
    LocalDate day = start.toLocalDate();
    return switch (this) {
      case MINUTE -> start.plusMinutes(1);
      case HOUR -> start.plusHours(1);
      case DAY -> day.plusDays(1).atStartOfDay(start.getZone());
      case WEEK -> day.plusWeeks(1).atStartOfDay(start.getZone());
      case MONTH -> day.plusMonths(1).atStartOfDay(start.getZone());
    };
  }
}
