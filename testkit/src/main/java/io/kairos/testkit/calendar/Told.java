package io.kairos.testkit.calendar;

import java.time.Instant;
import java.time.LocalDateTime;

/** What happens at an instant, and for which time on the wall clock. */
public record Told(Instant at, LocalDateTime local, What what) {
  /** Fires, or does not. */
  public enum What {
    FIRES,
    IN_GAP,
    REPEATED
  }
}
