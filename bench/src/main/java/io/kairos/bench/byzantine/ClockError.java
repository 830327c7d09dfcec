package io.kairos.bench.byzantine;

import java.util.Comparator;
import java.util.List;

/**
 * How far the agreed time of replicas was from the clock of this machine. Ahead it must never be;
 * behind it is by as long as a request takes, and by more after replicas were away. One of them may
 * have to catch up.
 *
 * @param aheadMillis of the replica that was farthest ahead, at most
 * @param behindMillis of the second of those that were farthest ahead, at least
 */
record ClockError(long aheadMillis, long behindMillis) {
  static final ClockError NONE_SEEN = new ClockError(0, Long.MAX_VALUE);

  /** Far more than requests take, and nothing beside forty years. */
  private static final long MOST_MILLIS = 5_000;

  /** Takes how far each replica is ahead now; some may not have answered. */
  ClockError and(List<Long> ahead) {
    List<Long> farthest = ahead.stream().sorted(Comparator.reverseOrder()).limit(2).toList();
    return farthest.size() < 2
        ? this
        : new ClockError(
            Math.max(aheadMillis, farthest.getFirst()),
            Math.min(behindMillis, Math.max(0, -farthest.getLast())));
  }

  ClockError worst(ClockError other) {
    return new ClockError(
        Math.max(aheadMillis, other.aheadMillis), Math.max(behindMillis, other.behindMillis));
  }

  boolean isBehind() {
    return behindMillis > MOST_MILLIS;
  }

  boolean isSmall() {
    return aheadMillis <= MOST_MILLIS && !isBehind();
  }

  @Override
  public String toString() {
    return "agreed time was at most %d ms ahead of the clock, and %d ms behind it"
        .formatted(aheadMillis, behindMillis);
  }
}
