package io.kairos.domain.schedule.recurrence;

import io.kairos.domain.schedule.local.CivilDays;
import io.kairos.domain.schedule.local.SmallNumberSets;
import java.util.List;

/** Decides if the day parts of a rule name a day, whatever its period. */
final class DayFilter {
  private static final int WEEK = 7;

  private final RecurrenceParts parts;
  private final boolean anyMonthDay;
  private final List<WeekdayOrdinal> weekdays;

  DayFilter(RecurrenceParts parts) {
    this.parts = parts;
    this.anyMonthDay = parts.monthDays() == 0 && parts.lastDays() == 0;
    this.weekdays = parts.weekdays();
  }

  boolean names(long epochDay) {
    int date = CivilDays.date(epochDay);
    int length = CivilDays.lengthOfMonth(CivilDays.year(date), CivilDays.month(date));
    return SmallNumberSets.has(parts.months(), CivilDays.month(date))
        && isMonthDay(CivilDays.day(date), length)
        && isWeekday(epochDay, date, length);
  }

  private boolean isMonthDay(int day, int length) {
    return anyMonthDay
        || SmallNumberSets.has(parts.monthDays(), day)
        || SmallNumberSets.has(parts.lastDays(), length - day + 1);
  }

  private boolean isWeekday(long epochDay, int date, int lengthOfMonth) {
    if (weekdays.isEmpty()) {
      return true;
    }
    int weekday = CivilDays.weekday(epochDay);
    int day = CivilDays.day(date);
    int length = lengthOfMonth;
    if (parts.inYear()) {
      long newYear = CivilDays.epochDay(CivilDays.year(date), 1, 1);
      day = (int) (epochDay - newYear) + 1;
      length = (int) (CivilDays.epochDay(CivilDays.year(date) + 1, 1, 1) - newYear);
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

  /**
   * Returns the first day not before {@code epochDay} that may be named; passes over whole months.
   */
  long skipMonths(long epochDay) {
    int date = CivilDays.date(epochDay);
    if (SmallNumberSets.has(parts.months(), CivilDays.month(date))) {
      return epochDay;
    }
    int month = SmallNumberSets.nextAtOrAfter(parts.months(), CivilDays.month(date));
    return month < 0
        ? CivilDays.epochDay(
            CivilDays.year(date) + 1, Long.numberOfTrailingZeros(parts.months()), 1)
        : CivilDays.epochDay(CivilDays.year(date), month, 1);
  }
}
