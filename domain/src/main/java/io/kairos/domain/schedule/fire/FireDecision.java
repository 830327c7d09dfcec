package io.kairos.domain.schedule.fire;

/** The decision on a fire time. */
public enum FireDecision {
  FIRED,
  SKIPPED
}
