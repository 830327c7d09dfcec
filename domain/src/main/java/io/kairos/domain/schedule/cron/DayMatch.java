package io.kairos.domain.schedule.cron;

/** The meaning of two restricted day fields: neither has a star or is {@code ?}. */
public enum DayMatch {
  /** A day that one of them names, as in crontab. */
  EITHER,
  /** A day that both of them name. */
  BOTH
}
