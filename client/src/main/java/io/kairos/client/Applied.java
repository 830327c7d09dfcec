package io.kairos.client;

import java.util.List;

/**
 * What applying a schedule did, or would do.
 *
 * @param schedule what holds now, or would
 * @param changes what was different; empty for a new one
 */
public record Applied(Outcome outcome, ScheduleStatus schedule, List<Change> changes) {
  public Applied {
    changes = List.copyOf(changes);
  }

  /** Whether there was one with its name. */
  public enum Outcome {
    CREATED,
    CHANGED,
    UNCHANGED,
    /** One that this version of the client does not know. */
    OTHER
  }

  /**
   * A field that was different.
   *
   * @param field its path, such as {@code policies.overlap}
   * @param before what held, as JSON; empty when it was not set
   * @param after what holds; empty when it is not set
   */
  public record Change(String field, String before, String after) {}
}
