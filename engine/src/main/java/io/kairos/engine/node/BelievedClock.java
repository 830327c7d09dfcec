package io.kairos.engine.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.time.EpochMicros;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.OptionalLong;

/**
 * The store's clock as this node may judge leases by it. It is never ahead of what any reading of
 * the last lease shows, carried on by elapsed time. So a clock that steps forward is believed when
 * every lease that was given before the step has been renewed or has ended. The liveness step tells
 * readings, other steps ask. Thread-safe.
 */
final class BelievedClock {
  private static final long NANOS_PER_MICRO = 1_000;

  private final long longestGapNanos;

  @GuardedBy("this")
  private final Deque<Reading> readings = new ArrayDeque<>();

  /** The longest lease that was asked about: readings are kept for as long. */
  @GuardedBy("this")
  private long keptNanos;

  /**
   * A reading of the store's clock.
   *
   * @param atNanos when it was received
   * @param aheadMicros by how much the store's clock was ahead of elapsed time, at least
   */
  private record Reading(long sentNanos, long atNanos, long aheadMicros) {}

  /**
   * @param longestGap from the request for one reading to the receipt of the next; after a longer
   *     one the watch begins anew, because the clock may have stepped back and forward again
   */
  BelievedClock(Duration longestGap) {
    this.longestGapNanos = longestGap.toNanos();
  }

  /** Records the store's time, read between these two monotonic times. */
  synchronized void told(Instant time, long sentNanos, long receivedNanos) {
    if (isInterrupted(receivedNanos)) {
      readings.clear();
    }
    long ahead = EpochMicros.of(time) - 1 - Math.ceilDiv(receivedNanos, NANOS_PER_MICRO);
    readings.addLast(new Reading(sentNanos, receivedNanos, ahead));
    forget(receivedNanos);
  }

  /**
   * The believed time in microseconds, for leases of at most this length; empty until the clock has
   * been watched for as long.
   */
  synchronized OptionalLong micros(Duration lease, long nowNanos) {
    keptNanos = Math.max(keptNanos, lease.toNanos());
    Reading first = readings.peekFirst();
    if (first == null || isInterrupted(nowNanos) || nowNanos - first.atNanos() < lease.toNanos()) {
      return OptionalLong.empty();
    }
    long least = Long.MAX_VALUE;
    for (Iterator<Reading> latest = readings.descendingIterator(); latest.hasNext(); ) {
      Reading reading = latest.next();
      least = Math.min(least, reading.aheadMicros());
      if (nowNanos - reading.atNanos() >= lease.toNanos()) {
        break; // this reading covers the time until the next one, so it counts too
      }
    }
    return OptionalLong.of(least + Math.floorDiv(nowNanos, NANOS_PER_MICRO));
  }

  @GuardedBy("this")
  private boolean isInterrupted(long nowNanos) {
    Reading last = readings.peekLast();
    return last != null && nowNanos - last.sentNanos() > longestGapNanos;
  }

  /** Forgets readings that were followed by another one longer ago than the longest lease. */
  @GuardedBy("this")
  private void forget(long nowNanos) {
    Reading first = readings.removeFirst();
    while (!readings.isEmpty() && nowNanos - readings.getFirst().atNanos() >= keptNanos) {
      first = readings.removeFirst();
    }
    readings.addFirst(first);
  }
}
