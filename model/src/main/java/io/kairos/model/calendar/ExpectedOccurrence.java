package io.kairos.model.calendar;

import java.time.Instant;
import java.time.LocalDateTime;

/** The expected result of a rule at an instant, with the local time. */
public record ExpectedOccurrence(Instant at, LocalDateTime local, What what) {
  /** Fires, or does not. */
  public enum What {
    FIRES,
    IN_GAP,
    REPEATED
  }
}
