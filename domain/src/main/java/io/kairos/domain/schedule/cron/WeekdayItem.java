package io.kairos.domain.schedule.cron;

/** One item in the list of days of the week; weekdays count from 0 for Sunday. */
sealed interface WeekdayItem {
  /** {@code MON}, {@code MON-FRI}. */
  record Days(CronRange span) implements WeekdayItem {}

  /** {@code FRIL}: the last of the month. */
  record Last(int weekday) implements WeekdayItem {}

  /** {@code FRI#2}: the second of the month. */
  record Nth(int weekday, int number) implements WeekdayItem {}
}
