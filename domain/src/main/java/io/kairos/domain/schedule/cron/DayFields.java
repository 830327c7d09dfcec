package io.kairos.domain.schedule.cron;

import java.util.List;

/**
 * The two day fields as they were written. As in crontab, a field is restricted unless it is {@code
 * ?} or has a star in it.
 *
 * @param match how they are joined when both are restricted; else a day must be in both
 */
record DayFields(
    List<MonthDayItem> monthDays,
    boolean monthDaysRestricted,
    List<WeekdayItem> weekdays,
    boolean weekdaysRestricted,
    DayMatch match) {

  boolean isEither() {
    return match == DayMatch.EITHER && monthDaysRestricted && weekdaysRestricted;
  }

  boolean isAllMonthDays() {
    return monthDays.size() == 1
        && monthDays.getFirst() instanceof MonthDayItem.Days(CronRange span)
        && span.isAll();
  }

  boolean isAllWeekdays() {
    return weekdays.size() == 1
        && weekdays.getFirst() instanceof WeekdayItem.Days(CronRange span)
        && span.isAll();
  }
}
