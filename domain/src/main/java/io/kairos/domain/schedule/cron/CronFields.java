package io.kairos.domain.schedule.cron;

/** The fields of a cron expression as they were written, with a number for every {@code H}. */
record CronFields(
    NumberField seconds,
    NumberField minutes,
    NumberField hours,
    DayFields days,
    NumberField months,
    NumberField years) {

  /**
   * Returns true if minute or hour name an interval, so that elapsed time matters more than the
   * clock.
   */
  boolean isInterval() {
    return minutes.isInterval() || hours.isInterval();
  }
}
