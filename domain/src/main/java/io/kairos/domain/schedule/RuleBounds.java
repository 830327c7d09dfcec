package io.kairos.domain.schedule;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a rule.
 *
 * @param start nothing fires before it; null for no start
 * @param end nothing fires at it or after it; null for no end
 * @param maxRuns the number of runs after which the schedule ends, which the caller must count;
 *     null for no such limit
 */
public record RuleBounds(@Nullable Instant start, @Nullable Instant end, @Nullable Long maxRuns) {
  public static final RuleBounds NONE = new RuleBounds(null, null, null);

  /** Throws {@link IllegalArgumentException} that names what is out of range. */
  public RuleBounds {
    require(start == null || end == null || start.isBefore(end), "start must be before end");
    require(maxRuns == null || maxRuns >= 1, "max_runs must be at least 1");
  }

  /** Returns the first second that the bounds allow, not before the given one. */
  long from(long second) {
    return start == null ? second : Math.max(second, EpochSeconds.atOrAfter(start));
  }

  boolean allow(long second) {
    return end == null || second < EpochSeconds.atOrAfter(end);
  }
}
