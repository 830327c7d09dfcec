package io.kairos.client;

import java.util.List;

/**
 * The result of applying a schedule, or of a dry run.
 *
 * @param schedule the schedule as it is now, or would be after a dry run
 * @param changes fields that differed; empty for a new schedule
 */
public record AppliedSchedule(Outcome outcome, ScheduleStatus schedule, List<Change> changes) {
  public AppliedSchedule {
    changes = List.copyOf(changes);
  }

  /** The effect on the stored schedule. */
  public enum Outcome {
    CREATED,
    CHANGED,
    UNCHANGED,
    /** An outcome that this version of the client does not know. */
    OTHER
  }

  /**
   * A field that differed.
   *
   * @param field path of the field, such as {@code policies.overlap}
   * @param before the former value as JSON; empty when it was not set
   * @param after the new value as JSON; empty when it is not set
   */
  public record Change(String field, String before, String after) {}
}
