package io.kairos.engine.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Counts times since the last period, as {@link LatenessCounts}. Needs next to no memory while
 * there are none. Not thread-safe.
 */
public final class LatenessTally {
  private long @Nullable [] counts;
  private long largest;

  /** One took so many microseconds. */
  public void add(long micros) {
    long within = Math.clamp(micros, 0, LatenessCounts.LARGEST);
    if (counts == null) {
      counts = new long[LatenessCounts.BUCKETS];
    }
    counts[LatenessCounts.bucket(within)]++;
    largest = Math.max(largest, within);
  }

  /** The counts since the last call. */
  public LatenessCounts take() {
    LatenessCounts taken =
        counts == null ? LatenessCounts.NONE : LatenessCounts.of(counts, largest);
    counts = null;
    largest = 0;
    return taken;
  }
}
