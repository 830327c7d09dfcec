package io.kairos.domain.schedule.cron;

/** The numbers of days of the week; dialects do not differ otherwise. */
public enum CronDialect {
  /** As in crontab: Sunday is 0 and 7, Monday is 1. */
  UNIX,
  /** As in Quartz: Sunday is 1, Saturday is 7, and {@code L} alone is Saturday. */
  QUARTZ
}
