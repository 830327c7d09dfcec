package io.kairos.domain.schedule.cron;

/** A cron expression as it was written, with every {@code H} put in numbers. */
record CronFields(
    NumberField seconds,
    NumberField minutes,
    NumberField hours,
    DayFields days,
    NumberField months,
    NumberField years) {

  /** Whether minute or hour name an interval, so that elapsed time matters more than the clock. */
  boolean isInterval() {
    return minutes.isInterval() || hours.isInterval();
  }
}
