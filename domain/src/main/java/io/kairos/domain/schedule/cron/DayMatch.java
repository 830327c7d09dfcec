package io.kairos.domain.schedule.cron;

/**
 * What it means that both day fields are restricted, that is: neither has a star or is {@code ?}.
 */
public enum DayMatch {
  /** A day that either of them names (crontab, PH-40). */
  EITHER,
  /** A day that both of them name. */
  BOTH
}
