package io.kairos.domain.schedule.definition;

/** The status of a schedule. */
public enum FiringStatus {
  ACTIVE,
  PAUSED,
  /** The schedule has no fire time any more. */
  ENDED
}
