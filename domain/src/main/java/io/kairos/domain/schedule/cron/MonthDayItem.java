package io.kairos.domain.schedule.cron;

/** One item in the list of days of the month. */
sealed interface MonthDayItem {
  /** {@code 15}, {@code 1-10/3}. */
  record Days(CronRange span) implements MonthDayItem {}

  /**
   * {@code L}, {@code L-3}; with a W the working day nearest to it.
   *
   * @param before how many days before the last, 0 to 30
   */
  record FromLast(int before, boolean working) implements MonthDayItem {}

  /** {@code 15W}: the working day of the month nearest to its 15th, the earlier of two. */
  record Nearest(int day) implements MonthDayItem {}
}
