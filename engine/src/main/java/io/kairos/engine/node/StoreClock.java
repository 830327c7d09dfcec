package io.kairos.engine.node;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What this node can say of the store's clock between two of its answers, by elapsed time: so a
 * step of the node's own clock is noticed at once and not at the next answer. An answer was given
 * at some moment of its round trip; several together narrow that down. Written by the liveness step
 * alone, read by all.
 */
final class StoreClock {
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MICROS_PER_SECOND = 1_000_000;

  /** Store's clock minus elapsed time, in microseconds: not less, not more. */
  private record Offset(long least, long most) {
    private boolean meets(Offset other) {
      return least <= other.most && other.least <= most;
    }

    private Offset and(Offset other) {
      return new Offset(Math.max(least, other.least), Math.min(most, other.most));
    }
  }

  private volatile @Nullable Offset offset;

  /** The store has told its time between these two moments of elapsed time. */
  void told(Instant time, long sentNanos, long receivedNanos) {
    long micros =
        Math.multiplyExact(time.getEpochSecond(), MICROS_PER_SECOND)
            + time.getNano() / NANOS_PER_MICRO;
    Offset now =
        new Offset(
            micros - Math.ceilDiv(receivedNanos, NANOS_PER_MICRO),
            micros + 1 - Math.floorDiv(sentNanos, NANOS_PER_MICRO));
    Offset before = offset;
    // Answers that contradict each other: one of the clocks has been set, or runs badly.
    offset = before == null || !before.meets(now) ? now : before.and(now);
  }

  /**
   * Whether the node's clock is within the bound of the store's, in doubt rather ahead than
   * unnoticed: a clock that is ahead fires early. False before the store has told its time.
   */
  boolean agreesWith(long wallMicros, long nowNanos, long boundMicros) {
    Offset known = offset;
    return known != null
        && Math.abs(wallMicros - Math.floorDiv(nowNanos, NANOS_PER_MICRO) - known.least)
            <= boundMicros;
  }
}
