package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.local.Bits;
import io.kairos.domain.schedule.local.Civil;
import java.util.List;

/** Which days of a month the field of days of the week names, as bits 1 to 31. */
final class Weekdays {
  private static final int WEEK = 7;
  private static final int WEEKS = 5;

  /** Of weekdays, bits 0 to 6. */
  private long plain;

  private long last;
  private final long[] nth = new long[WEEKS + 1];
  private boolean counted;

  Weekdays(List<WeekdayItem> items) {
    for (WeekdayItem item : items) {
      switch (item) {
        case WeekdayItem.Days(Span span) -> plain |= span.bits();
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
    int first = Civil.weekday(firstEpochDay);
    long days = every(plain, first) & Bits.range(1, length);
    if (counted) {
      days |= every(last, first) & Bits.range(length - WEEK + 1, length);
      for (int week = 1; week <= WEEKS; week++) {
        days |=
            every(nth[week], first)
                & Bits.range((week - 1) * WEEK + 1, Math.min(week * WEEK, length));
      }
    }
    return days;
  }

  /** The weekdays laid out over five weeks of days, the first of which is a {@code first}. */
  private static long every(long weekdays, int first) {
    long week = ((weekdays | (weekdays << WEEK)) >>> first) & Bits.range(0, WEEK - 1);
    long twoWeeks = week | (week << WEEK);
    return (twoWeeks | (twoWeeks << (2 * WEEK)) | (week << (4 * WEEK))) << 1;
  }
}
