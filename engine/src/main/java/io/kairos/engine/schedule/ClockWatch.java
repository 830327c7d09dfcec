package io.kairos.engine.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the store's clock can be believed: a clock that jumps forward would fire
 * schedules long before they are due. The clock is compared with its latest reading plus the time
 * elapsed on this node. A clock that is ahead by more than {@link #TOLERATED} is believed only
 * after it has stayed so for {@link #CONFIRMED_AFTER}. A clock that goes back is harmless, because
 * decisions are final; after {@link #CONFIRMED_AFTER} its lower reading becomes the base of the
 * comparison. Thread-safe.
 */
final class ClockWatch {
  static final Duration TOLERATED = Duration.ofSeconds(2);
  static final Duration CONFIRMED_AFTER = Duration.ofSeconds(30);

  /** How much slower than this node's clock the store's may run, in percent. */
  private static final int SLOWER_BY_PERCENT = 1;

  private final MonotonicClock monotonic;
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

  ClockWatch(MonotonicClock monotonic, ScheduleEvents events) {
    this.monotonic = monotonic;
    this.events = events;
  }

  /**
   * @param now the reading of the store's clock
   */
  synchronized boolean believes(Instant now) {
    long nanos = monotonic.nanos();
    Instant before = latest;
    boolean isLower = false;
    if (before != null) {
      long passed = nanos - latestAtNanos;
      Duration ahead = Duration.between(before.plusNanos(passed), now);
      if (ahead.compareTo(TOLERATED) > 0 && !isConfirmed(nanos, ahead)) {
        return false;
      }
      Instant least = before.plusNanos(passed - passed / 100 * SLOWER_BY_PERCENT);
      isLower = isBehind(now.isBefore(least), nanos);
    }
    if (jumped) {
      jumped = false;
      events.clockBelieved();
    }
    if (!isLower) { // that may be a slow answer: the next reading must not count as a jump
      latest = now;
      latestAtNanos = nanos;
    }
    return true;
  }

  /**
   * Returns {@code now} for a change of a schedule, which also decides the schedule's due fire
   * times; throws {@link StoreUnavailable} when the clock cannot be believed.
   */
  Instant believed(Instant now) {
    if (!believes(now)) {
      throw new StoreUnavailable(
          "the store's clock has jumped forward: try again in half a minute");
    }
    return now;
  }

  /** True while the clock has been behind for less than {@link #CONFIRMED_AFTER}. */
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
