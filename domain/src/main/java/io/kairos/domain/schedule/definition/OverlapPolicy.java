package io.kairos.domain.schedule.definition;

/** The handling of a fire time while earlier runs have not ended. */
public enum OverlapPolicy {
  /** Skips the fire time. */
  SKIP,
  /** Lets one run wait for the present one; skips the fire time when a run waits already. */
  BUFFER_ONE,
  /**
   * Lets all runs wait for their turn, in the order of their fire times. Of runs of several tasks
   * only so many are unfinished at a time as {@link ScheduleDefinition#mostInTurn} says; then it
   * skips the fire time.
   */
  BUFFER_ALL,
  /** Cancels runs that have not ended, and runs when they have. */
  CANCEL_OTHER,
  /** Runs beside the others. */
  ALLOW_ALL;

  /** Returns true if the runs of the schedule follow each other, one at a time. */
  public boolean inTurn() {
    return this == BUFFER_ONE || this == BUFFER_ALL || this == CANCEL_OTHER;
  }
}
