package io.kairos.domain.schedule.calendar;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.local.CivilDays;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.Arrays;
import java.util.List;

/** A calendar prepared for look-ups: sorted arrays, no allocation. */
final class OpenHours {
  private static final int[] OFF = {};
  private static final int WEEK = 7;
  private static final int DAY_BITS = 5;

  /** By weekday from Sunday: seconds at which it opens, closes, opens. */
  private final int[][] week = new int[WEEK][];

  private final long[] closed;
  private final boolean[] closedYearly = new boolean[13 << DAY_BITS];
  private final long[] open;
  private final int[][] openBounds;

  OpenHours(WorkingCalendar calendar) {
    Arrays.fill(week, OFF);
    calendar
        .week()
        .forEach(
            (DayOfWeek day, WorkingHours hours) -> week[day.getValue() % WEEK] = hours.bounds());
    closed = calendar.closed().stream().mapToLong(LocalDate::toEpochDay).sorted().toArray();
    for (MonthDay day : calendar.closedYearly()) {
      closedYearly[day.getMonthValue() << DAY_BITS | day.getDayOfMonth()] = true;
    }
    List<LocalDate> dates = calendar.open().keySet().stream().sorted().toList();
    open = dates.stream().mapToLong(LocalDate::toEpochDay).toArray();
    openBounds = new int[open.length][];
    for (int i = 0; i < open.length; i++) {
      openBounds[i] = requireNonNull(calendar.open().get(dates.get(i))).bounds();
    }
  }

  private int[] bounds(long epochDay) {
    int special = Arrays.binarySearch(open, epochDay);
    if (special >= 0) {
      return openBounds[special];
    }
    if (Arrays.binarySearch(closed, epochDay) >= 0) {
      return OFF;
    }
    int date = CivilDays.date(epochDay);
    return closedYearly[CivilDays.month(date) << DAY_BITS | CivilDays.day(date)]
        ? OFF
        : week[CivilDays.weekday(epochDay)];
  }

  boolean isOpenOn(long epochDay) {
    return bounds(epochDay).length > 0;
  }

  boolean isOpenAt(long localSecond) {
    int second = CivilDays.secondOfDay(localSecond);
    int passed = 0;
    for (int bound : bounds(CivilDays.epochDayOf(localSecond))) {
      passed += bound <= second ? 1 : 0;
    }
    return passed % 2 == 1;
  }

  /**
   * Returns the next second at which the answer may change: at the end of the day at the latest.
   */
  long mayChangeAfter(long localSecond) {
    long day = CivilDays.epochDayOf(localSecond);
    int second = CivilDays.secondOfDay(localSecond);
    for (int bound : bounds(day)) {
      if (bound > second) {
        return day * CivilDays.SECONDS_PER_DAY + bound;
      }
    }
    return (day + 1) * CivilDays.SECONDS_PER_DAY;
  }
}
