package io.kairos.engine.delay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.delay.setup.DelayConfig.Advance;
import java.time.Duration;
import java.util.Arrays;

/**
 * The timing advance: how much before its due time a message is sent, to pay for known latency. The
 * adaptive advance is the shortest publish latency of the last 16 seconds, less by as much as the
 * shortest ones of these seconds differ: where they differ much the next one may be shorter than
 * all, and its message early. The window is long because a host that stalls for a second or two
 * must not make the messages after the stall early. The adaptive advance is zero unless every one
 * of these seconds had a measurement: after a start or an outage the first latencies are long, and
 * the next ones short. Thread-safe; written by the publisher's threads.
 */
final class AdvanceGauge {
  private static final long WINDOW_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int WINDOWS = 16;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long NONE = Long.MAX_VALUE;

  private final Advance advance;

  /** The shortest latency of each of the last windows, {@link #NONE} for a window without sends. */
  @GuardedBy("this")
  private final long[] shortest = new long[WINDOWS];

  /**
   * Starts before every possible window, because readings of the monotonic clock may be negative.
   */
  @GuardedBy("this")
  private long currentWindow = Long.MIN_VALUE / 2;

  AdvanceGauge(Advance advance) {
    this.advance = advance;
    Arrays.fill(shortest, NONE);
  }

  synchronized long micros(long nowNanos) {
    return switch (advance) {
      case Advance.Fixed(Duration length) -> length.toNanos() / NANOS_PER_MICRO;
      case Advance.Adaptive(Duration atMost) -> {
        turnTo(nowNanos);
        yield Math.clamp(steady(), 0, atMost.toNanos()) / NANOS_PER_MICRO;
      }
    };
  }

  /**
   * The shortest latency of all windows, less the spread of their shortest ones; zero when a window
   * has no sends. The current window may have just begun, and can only lower it.
   */
  @GuardedBy("this")
  private long steady() {
    long least = NONE;
    long most = 0;
    for (int i = 0; i < WINDOWS; i++) {
      least = Math.min(least, shortest[i]);
      if (i != Math.floorMod(currentWindow, WINDOWS)) {
        most = Math.max(most, shortest[i]);
      }
    }
    return most == NONE ? 0 : least - Math.max(0, most - least);
  }

  /** Records the latency of an acknowledged send. */
  synchronized void acknowledged(long latencyNanos, long nowNanos) {
    turnTo(nowNanos);
    int slot = Math.floorMod(currentWindow, WINDOWS);
    shortest[slot] = Math.min(shortest[slot], latencyNanos);
  }

  @GuardedBy("this")
  private void turnTo(long nowNanos) {
    long window = Math.floorDiv(nowNanos, WINDOW_NANOS);
    if (window - currentWindow >= WINDOWS) {
      Arrays.fill(shortest, NONE);
      currentWindow = window;
    }
    while (currentWindow < window) {
      currentWindow++;
      shortest[Math.floorMod(currentWindow, WINDOWS)] = NONE;
    }
  }
}
