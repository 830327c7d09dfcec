package io.kairos.domain.schedule;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.time.LocalDateTime;

/**
 * A time that a rule names. Occurrences are in the order of instants; of two at one instant, the
 * skipped one comes first.
 */
public sealed interface Occurrence {
  /** Returns the instant; for a time in a gap of the clock, the end of the gap. */
  Instant at();

  /**
   * Returns the time on the wall clock that the rule names. It differs from the clock at {@link
   * #at} only for a time in a gap.
   */
  LocalDateTime local();

  /** A fire time. All times in one gap are one fire, with the first of their local times. */
  record Fire(Instant at, LocalDateTime local) implements Occurrence {
    public Fire {
      requireNonNull(at, "at");
      requireNonNull(local, "local");
    }
  }

  /**
   * A time that does not fire, and the reason. All times in one gap are one, with the first of
   * their local times.
   */
  record Skipped(Instant at, LocalDateTime local, SkipReason reason) implements Occurrence {
    public Skipped {
      requireNonNull(at, "at");
      requireNonNull(local, "local");
      requireNonNull(reason, "reason");
    }
  }
}
