package io.kairos.engine.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether the store's clock can be believed (A5): one that jumps forward would fire what is not due
 * for long. It is compared with the latest time that it has shown, plus what has passed on this
 * node since; what is ahead by more than {@link #TOLERATED} is believed only when it has stayed so
 * for {@link #CONFIRMED_AFTER}. Going back is harmless, because what is decided stays decided; when
 * it has stayed so for as long, that is what a jump is measured against. Thread-safe.
 */
final class ClockWatch {
  static final Duration TOLERATED = Duration.ofSeconds(2);
  static final Duration CONFIRMED_AFTER = Duration.ofSeconds(30);

  /** A clock may be slower than this node's by so much of what passes, and not more for long. */
  private static final int SLOWER_BY_PERCENT = 1;

  private final Monotonic monotonic;
  private final ScheduleEvents events;

  @GuardedBy("this")
  private @Nullable Instant latest;

  @GuardedBy("this")
  private long latestAtNanos;

  @GuardedBy("this")
  private boolean jumped;

  @GuardedBy("this")
  private long jumpedAtNanos;

  @GuardedBy("this")
  private boolean behind;

  @GuardedBy("this")
  private long behindSinceNanos;

  ClockWatch(Monotonic monotonic, ScheduleEvents events) {
    this.monotonic = monotonic;
    this.events = events;
  }

  /**
   * @param now what the store's clock has just shown
   */
  synchronized boolean believes(Instant now) {
    long nanos = monotonic.nanos();
    Instant before = latest;
    Instant present = now;
    if (before != null) {
      long passed = nanos - latestAtNanos;
      Duration ahead = Duration.between(before.plusNanos(passed), now);
      if (ahead.compareTo(TOLERATED) > 0 && !isConfirmed(nanos, ahead)) {
        return false;
      }
      // What shows less may be an answer that took its time: the next one is no jump.
      Instant least = before.plusNanos(passed - passed / 100 * SLOWER_BY_PERCENT);
      present = isBehind(now.isBefore(least), nanos) ? least : now;
    }
    if (jumped) {
      jumped = false;
      events.clockBelieved();
    }
    latest = present;
    latestAtNanos = nanos;
    return true;
  }

  /** The same for whoever changes a schedule: that decides what is due by then. */
  Instant believed(Instant now) {
    if (!believes(now)) {
      throw new StoreUnavailable(
          "the store's clock has jumped forward: try again in half a minute");
    }
    return now;
  }

  /** Not any more when it has stayed so. */
  @GuardedBy("this")
  private boolean isBehind(boolean looksSo, long nanos) {
    if (looksSo && !behind) {
      behindSinceNanos = nanos;
    }
    behind = looksSo && nanos - behindSinceNanos < CONFIRMED_AFTER.toNanos();
    return behind;
  }

  @GuardedBy("this")
  private boolean isConfirmed(long nanos, Duration ahead) {
    if (!jumped) {
      jumped = true;
      jumpedAtNanos = nanos;
      events.clockJumped(ahead);
    }
    return nanos - jumpedAtNanos >= CONFIRMED_AFTER.toNanos();
  }
}
