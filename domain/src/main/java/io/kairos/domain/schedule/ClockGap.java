package io.kairos.domain.schedule;

/** The handling of a time that does not exist because daylight saving time begins. */
public enum ClockGap {
  /** Fires once at the end of the gap for all times in it. */
  RUN_ONCE_AFTER,
  /** Does not fire. */
  SKIP
}
