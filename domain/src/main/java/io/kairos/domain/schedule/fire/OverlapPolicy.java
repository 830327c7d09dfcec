package io.kairos.domain.schedule.fire;

/** What happens at a fire time while earlier runs have not ended. */
public enum OverlapPolicy {
  /** Skips it. */
  SKIP,
  /** Lets one run wait for the one that is going on; skips it when one waits already. */
  BUFFER_ONE,
  /** Lets all runs wait for their turn, in the order of their fire times. */
  BUFFER_ALL,
  /** Cancels what has not ended, and runs when that is over. */
  CANCEL_OTHER,
  /** Runs it beside the others. */
  ALLOW_ALL;

  /** Whether the runs of the schedule follow each other, one at a time. */
  public boolean inTurn() {
    return this == BUFFER_ONE || this == BUFFER_ALL || this == CANCEL_OTHER;
  }
}
