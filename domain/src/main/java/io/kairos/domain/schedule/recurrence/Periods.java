package io.kairos.domain.schedule.recurrence;

import io.kairos.domain.schedule.local.Civil;

/** The periods of a rule of days, weeks, months or years, every so many of which count. */
final class Periods {
  private static final int MONTHS = 12;
  private static final int WEEK = 7;

  private final Frequency frequency;
  private final int interval;

  /** A day on which a week begins. */
  private final int firstWeek;

  private final long first;

  Periods(Parts parts) {
    frequency = parts.frequency();
    interval = parts.interval();
    firstWeek = parts.weekStart() - Civil.weekday(0);
    first = numberOf(Civil.epochDayOf(parts.start()));
  }

  private long numberOf(long epochDay) {
    int date = Civil.date(epochDay);
    return switch (frequency) {
      case YEARLY -> Civil.year(date);
      case MONTHLY -> (long) Civil.year(date) * MONTHS + Civil.month(date) - 1;
      case WEEKLY -> Math.floorDiv(epochDay - firstWeek, WEEK);
      case DAILY, HOURLY, MINUTELY, SECONDLY -> epochDay;
    };
  }

  /** Begin of the first period that counts and does not end before this day. */
  long beginAtOrAfter(long epochDay) {
    long number = numberOf(epochDay);
    return beginOf(number + Math.floorMod(first - number, (long) interval));
  }

  /** Begin of the period that follows the one that counts and has this day. */
  long endOf(long epochDay) {
    return beginOf(numberOf(epochDay) + 1);
  }

  private long beginOf(long number) {
    return switch (frequency) {
      case YEARLY -> Civil.epochDay((int) number, 1, 1);
      case MONTHLY ->
          Civil.epochDay((int) Math.floorDiv(number, MONTHS), Math.floorMod(number, MONTHS) + 1, 1);
      case WEEKLY -> firstWeek + number * WEEK;
      case DAILY, HOURLY, MINUTELY, SECONDLY -> number;
    };
  }
}
