package io.kairos.domain.task;

import static io.kairos.domain.check.ArgumentCheck.require;

/**
 * How far the attempt under way has come, as its worker says with a heartbeat.
 *
 * @param percent 0 to 100
 * @param note for people; empty for none, at most {@link #LONGEST_NOTE} characters, and made
 *     storable
 */
public record TaskProgress(int percent, String note) {
  /** In UTF-16 units; room for a note that a client has encrypted. */
  public static final int LONGEST_NOTE = 1_000;

  public TaskProgress {
    require(percent >= 0 && percent <= 100, "a percentage is 0 to 100");
    note = ErrorText.bounded(note, LONGEST_NOTE);
  }
}
