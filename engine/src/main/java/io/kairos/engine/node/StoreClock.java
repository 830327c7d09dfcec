package io.kairos.engine.node;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the store's clock between two of its answers by elapsed time, so that a jump of the
 * node's own clock is noticed at once and not at the next answer. The store read its clock at an
 * unknown moment of the round trip; several answers narrow the offset down. Written by the liveness
 * step, read by all steps.
 */
final class StoreClock {
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MICROS_PER_SECOND = 1_000_000;

  /** Bounds of the store's clock minus elapsed time, in microseconds, both inclusive. */
  private record Offset(long least, long most) {
    private boolean meets(Offset other) {
      return least <= other.most && other.least <= most;
    }

    private Offset and(Offset other) {
      return new Offset(Math.max(least, other.least), Math.min(most, other.most));
    }
  }

  private volatile @Nullable Offset offset;

  /** Records the store's time, read between these two monotonic times. */
  void told(Instant time, long sentNanos, long receivedNanos) {
    long micros =
        Math.multiplyExact(time.getEpochSecond(), MICROS_PER_SECOND)
            + time.getNano() / NANOS_PER_MICRO;
    Offset now =
        new Offset(
            micros - Math.ceilDiv(receivedNanos, NANOS_PER_MICRO),
            micros + 1 - Math.floorDiv(sentNanos, NANOS_PER_MICRO));
    Offset before = offset;
    // Answers contradict each other when one of the clocks was set or runs badly.
    offset = before == null || !before.meets(now) ? now : before.and(now);
  }

  /**
   * True when the node's clock is within the bound of the earliest possible time of the store,
   * because a clock that is ahead fires early. False before the first answer of the store.
   */
  boolean agreesWith(long wallMicros, long nowNanos, long boundMicros) {
    Offset known = offset;
    return known != null
        && Math.abs(wallMicros - Math.floorDiv(nowNanos, NANOS_PER_MICRO) - known.least)
            <= boundMicros;
  }
}
