package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.local.CivilDays;
import io.kairos.domain.schedule.local.SmallNumberSets;
import java.util.List;

/** The days of a month that the field of days of the week names, as bits 1 to 31. */
final class WeekdayMatches {
  private static final int WEEK = 7;
  private static final int WEEKS = 5;

  /** Weekdays as bits 0 to 6. */
  private long plain;

  private long last;
  private final long[] nth = new long[WEEKS + 1];
  private boolean counted;

  WeekdayMatches(List<WeekdayItem> items) {
    for (WeekdayItem item : items) {
      switch (item) {
        case WeekdayItem.Days(CronRange span) -> plain |= span.bits();
        case WeekdayItem.Last(int weekday) -> {
          last |= 1L << weekday;
          counted = true;
        }
        case WeekdayItem.Nth(int weekday, int number) -> {
          nth[number] |= 1L << weekday;
          counted = true;
        }
      }
    }
  }

  long in(long firstEpochDay, int length) {
    int first = CivilDays.weekday(firstEpochDay);
    long days = every(plain, first) & SmallNumberSets.range(1, length);
    if (counted) {
      days |= every(last, first) & SmallNumberSets.range(length - WEEK + 1, length);
      for (int week = 1; week <= WEEKS; week++) {
        days |=
            every(nth[week], first)
                & SmallNumberSets.range((week - 1) * WEEK + 1, Math.min(week * WEEK, length));
      }
    }
    return days;
  }

  /**
   * Returns the days of these weekdays in five weeks, the first day of which is a {@code first}.
   */
  private static long every(long weekdays, int first) {
    long week = ((weekdays | (weekdays << WEEK)) >>> first) & SmallNumberSets.range(0, WEEK - 1);
    long twoWeeks = week | (week << WEEK);
    return (twoWeeks | (twoWeeks << (2 * WEEK)) | (week << (4 * WEEK))) << 1;
  }
}
