package io.kairos.domain.schedule.recurrence;

import io.kairos.domain.schedule.local.Bits;
import io.kairos.domain.schedule.local.Civil;
import java.util.List;

/** Whether the day parts of a rule name a day, whatever its period. */
final class DayFilter {
  private static final int WEEK = 7;

  private final Parts parts;
  private final boolean anyMonthDay;
  private final List<WeekdayOrdinal> weekdays;

  DayFilter(Parts parts) {
    this.parts = parts;
    this.anyMonthDay = parts.monthDays() == 0 && parts.lastDays() == 0;
    this.weekdays = parts.weekdays();
  }

  boolean names(long epochDay) {
    int date = Civil.date(epochDay);
    int length = Civil.lengthOfMonth(Civil.year(date), Civil.month(date));
    return Bits.has(parts.months(), Civil.month(date))
        && isMonthDay(Civil.day(date), length)
        && isWeekday(epochDay, date, length);
  }

  private boolean isMonthDay(int day, int length) {
    return anyMonthDay
        || Bits.has(parts.monthDays(), day)
        || Bits.has(parts.lastDays(), length - day + 1);
  }

  private boolean isWeekday(long epochDay, int date, int lengthOfMonth) {
    if (weekdays.isEmpty()) {
      return true;
    }
    int weekday = Civil.weekday(epochDay);
    int day = Civil.day(date);
    int length = lengthOfMonth;
    if (parts.inYear()) {
      long newYear = Civil.epochDay(Civil.year(date), 1, 1);
      day = (int) (epochDay - newYear) + 1;
      length = (int) (Civil.epochDay(Civil.year(date) + 1, 1, 1) - newYear);
    }
    int fromBegin = (day - 1) / WEEK + 1;
    int fromEnd = (length - day) / WEEK + 1;
    for (int i = 0; i < weekdays.size(); i++) {
      WeekdayOrdinal wanted = weekdays.get(i);
      if (wanted.weekday() == weekday
          && (wanted.number() == 0
              || wanted.number() == fromBegin
              || wanted.number() == -fromEnd)) {
        return true;
      }
    }
    return false;
  }

  /** The first day not before {@code epochDay} that may be named: passes over months. */
  long skipMonths(long epochDay) {
    int date = Civil.date(epochDay);
    if (Bits.has(parts.months(), Civil.month(date))) {
      return epochDay;
    }
    int month = Bits.nextAtOrAfter(parts.months(), Civil.month(date));
    return month < 0
        ? Civil.epochDay(Civil.year(date) + 1, Long.numberOfTrailingZeros(parts.months()), 1)
        : Civil.epochDay(Civil.year(date), month, 1);
  }
}
