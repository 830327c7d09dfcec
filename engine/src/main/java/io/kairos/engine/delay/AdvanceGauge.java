package io.kairos.engine.delay;

import io.kairos.engine.delay.DelayConfig.Advance;
import java.time.Duration;

/**
 * The timing advance: how much before its due time a message is sent, to pay for known latency
 * (CH-36, CH-F1). Adaptive follows the shortest publish latency of the last one to two windows: an
 * advance below every latency seen makes no message early, and the shortest follows load up and
 * down. Without recent measurements it is zero. Thread-safe; written by the publisher's threads.
 */
final class AdvanceGauge {
  private static final long WINDOW_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long NONE = Long.MAX_VALUE;

  private final Advance advance;
  private long windowStartNanos;
  private long shortestNow = NONE;
  private long shortestBefore = NONE;

  AdvanceGauge(Advance advance) {
    this.advance = advance;
  }

  synchronized long micros(long nowNanos) {
    return switch (advance) {
      case Advance.Fixed(Duration length) -> length.toNanos() / NANOS_PER_MICRO;
      case Advance.Adaptive(Duration atMost) -> {
        long shortest = Math.min(shortestNow, shortestBefore);
        boolean recent = shortest != NONE && nowNanos - windowStartNanos < 2 * WINDOW_NANOS;
        yield recent ? Math.clamp(shortest, 0, atMost.toNanos()) / NANOS_PER_MICRO : 0;
      }
    };
  }

  /** A send was acknowledged this long after it began. */
  synchronized void acknowledged(long latencyNanos, long nowNanos) {
    long age = nowNanos - windowStartNanos;
    if (age >= WINDOW_NANOS) {
      shortestBefore = age >= 2 * WINDOW_NANOS ? NONE : shortestNow;
      shortestNow = latencyNanos;
      windowStartNanos = nowNanos;
    } else {
      shortestNow = Math.min(shortestNow, latencyNanos);
    }
  }
}
