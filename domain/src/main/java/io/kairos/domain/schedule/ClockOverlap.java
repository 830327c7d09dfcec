package io.kairos.domain.schedule;

/** The handling of a time that comes twice because daylight saving time ends. */
public enum ClockOverlap {
  /** It fires the first time only. */
  FIRST,
  /** It fires both times. */
  BOTH
}
