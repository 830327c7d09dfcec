package io.kairos.domain.schedule.recurrence;

import io.kairos.domain.schedule.local.CivilDays;

/** The periods of a rule of days, weeks, months or years, every so many of which count. */
final class RecurrencePeriods {
  private static final int MONTHS = 12;
  private static final int WEEK = 7;

  private final RecurrenceFrequency frequency;
  private final int interval;

  /** A day on which a week begins. */
  private final int firstWeek;

  private final long first;

  RecurrencePeriods(RecurrenceParts parts) {
    frequency = parts.frequency();
    interval = parts.interval();
    firstWeek = parts.weekStart() - CivilDays.weekday(0);
    first = numberOf(CivilDays.epochDayOf(parts.start()));
  }

  private long numberOf(long epochDay) {
    int date = CivilDays.date(epochDay);
    return switch (frequency) {
      case YEARLY -> CivilDays.year(date);
      case MONTHLY -> (long) CivilDays.year(date) * MONTHS + CivilDays.month(date) - 1;
      case WEEKLY -> Math.floorDiv(epochDay - firstWeek, WEEK);
      case DAILY, HOURLY, MINUTELY, SECONDLY -> epochDay;
    };
  }

  /** Returns the beginning of the first period that counts and does not end before this day. */
  long beginAtOrAfter(long epochDay) {
    long number = numberOf(epochDay);
    return beginOf(number + Math.floorMod(first - number, (long) interval));
  }

  /** Returns the beginning of the period after the one that has this day. */
  long endOf(long epochDay) {
    return beginOf(numberOf(epochDay) + 1);
  }

  private long beginOf(long number) {
    return switch (frequency) {
      case YEARLY -> CivilDays.epochDay((int) number, 1, 1);
      case MONTHLY ->
          CivilDays.epochDay(
              (int) Math.floorDiv(number, MONTHS), Math.floorMod(number, MONTHS) + 1, 1);
      case WEEKLY -> firstWeek + number * WEEK;
      case DAILY, HOURLY, MINUTELY, SECONDLY -> number;
    };
  }
}
