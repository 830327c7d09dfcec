package io.kairos.domain.schedule.fire;

/** The cause of a run. */
public enum FireCause {
  /** The rule of the schedule. */
  SCHEDULE,
  /** A call, to run now. */
  TRIGGER,
  /** A call, for the fire times of a range that has passed. */
  BACKFILL
}
