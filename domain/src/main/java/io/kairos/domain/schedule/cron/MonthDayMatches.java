package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.local.SmallNumberSets;
import io.kairos.domain.schedule.local.WorkingDays;
import java.util.List;

/** The days of a month that the field of days of the month names, as bits 1 to 31. */
final class MonthDayMatches {
  private final long plain;
  private final List<MonthDayItem> special;

  MonthDayMatches(List<MonthDayItem> items) {
    long days = 0;
    for (MonthDayItem item : items) {
      if (item instanceof MonthDayItem.Days(CronRange span)) {
        days |= span.bits();
      }
    }
    plain = days;
    special = items.stream().filter(item -> !(item instanceof MonthDayItem.Days)).toList();
  }

  long in(long firstEpochDay, int length, WorkingDays working) {
    long days = plain & SmallNumberSets.range(1, length);
    for (int i = 0; i < special.size(); i++) {
      days |= in(special.get(i), firstEpochDay, length, working);
    }
    return days;
  }

  private static long in(MonthDayItem item, long firstEpochDay, int length, WorkingDays working) {
    return switch (item) {
      case MonthDayItem.Days(CronRange span) -> span.bits();
      case MonthDayItem.FromLast(int before, boolean toWork) ->
          toWork
              ? nearest(length - before, firstEpochDay, length, working)
              : SmallNumberSets.range(Math.max(1, length - before), length - before);
      case MonthDayItem.Nearest(int day) -> nearest(day, firstEpochDay, length, working);
    };
  }

  /**
   * Returns the nearest working day of the month; 0 when the month has no such day or no working
   * day.
   */
  private static long nearest(int day, long firstEpochDay, int length, WorkingDays working) {
    if (day < 1 || day > length) {
      return 0;
    }
    for (int distance = 0; distance < length; distance++) {
      if (day - distance >= 1 && working.isWorked(firstEpochDay + day - distance - 1)) {
        return 1L << (day - distance);
      }
      if (day + distance <= length && working.isWorked(firstEpochDay + day + distance - 1)) {
        return 1L << (day + distance);
      }
    }
    return 0;
  }
}
