package io.kairos.domain.schedule;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.time.LocalDateTime;

/**
 * A time that a rule names, in the order of instants; of two at the same, the skipped comes first.
 */
public sealed interface Occurrence {
  /** When it is; for a time that the clock left out, when the gap ends. */
  Instant at();

  /**
   * The time on the wall clock that the rule names. It differs from what the clock shows at {@link
   * #at} only where the clock left it out.
   */
  LocalDateTime local();

  /** A fire time. All times that one gap swallowed are one fire, with the first of them. */
  record Fire(Instant at, LocalDateTime local) implements Occurrence {
    public Fire {
      requireNonNull(at, "at");
      requireNonNull(local, "local");
    }
  }

  /** Not a fire time, and why. All times that one gap swallowed are one, with the first of them. */
  record Skipped(Instant at, LocalDateTime local, SkipReason reason) implements Occurrence {
    public Skipped {
      requireNonNull(at, "at");
      requireNonNull(local, "local");
      requireNonNull(reason, "reason");
    }
  }
}
