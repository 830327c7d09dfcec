package io.kairos.domain.schedule.fire;

/** Who asked for a run. */
public enum Cause {
  /** The rule of the schedule. */
  SCHEDULE,
  /** Somebody, to run now. */
  TRIGGER,
  /** Somebody, for the fire times of a range that has passed. */
  BACKFILL
}
