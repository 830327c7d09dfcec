package io.kairos.domain.schedule.cron;

/** How days of the week are counted; all else is the same. */
public enum Dialect {
  /** As in crontab: Sunday is 0 and 7, Monday is 1. */
  UNIX,
  /** As in Quartz and Phat's scheduler (PH-37): Sunday is 1, Saturday 7, and {@code L} alone. */
  QUARTZ
}
