package io.kairos.domain.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long a rule holds.
 *
 * @param start nothing fires before it; null for no start
 * @param end nothing fires at it or after it; null for no end
 * @param maxRuns after so many runs the schedule ends, which whoever counts them has to see to;
 *     null for no such limit
 */
public record Bounds(@Nullable Instant start, @Nullable Instant end, @Nullable Long maxRuns) {
  public static final Bounds NONE = new Bounds(null, null, null);

  /** Throws {@link IllegalArgumentException} that names what is out of range. */
  public Bounds {
    if (start != null && end != null && !start.isBefore(end)) {
      throw new IllegalArgumentException("start must be before end");
    }
    if (maxRuns != null && maxRuns < 1) {
      throw new IllegalArgumentException("max_runs must be at least 1");
    }
  }

  /** The first second that they allow, not before the given one. */
  long from(long second) {
    return start == null ? second : Math.max(second, Seconds.atOrAfter(start));
  }

  boolean allow(long second) {
    return end == null || second < Seconds.atOrAfter(end);
  }
}
