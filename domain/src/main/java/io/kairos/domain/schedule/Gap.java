package io.kairos.domain.schedule;

/** What becomes of a time that the wall clock leaves out when it is put forward. */
public enum Gap {
  /** One fire at the end of the gap for all that it swallowed. */
  RUN_ONCE_AFTER,
  /** None. */
  SKIP
}
