package io.kairos.domain.schedule.fire;

/** What was decided of a fire time. */
public enum Decision {
  FIRED,
  SKIPPED
}
