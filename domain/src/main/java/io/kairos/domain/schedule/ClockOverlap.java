package io.kairos.domain.schedule;

/** The handling of a time that comes twice because daylight saving time ends. */
public enum ClockOverlap {
  /** The rule fires the first time only. */
  FIRST,
  /** The rule fires both times. */
  BOTH
}
