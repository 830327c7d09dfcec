package io.kairos.client.worker;

import java.time.Duration;

/**
 * For how long a claim or a heartbeat holds, and what follows from it: a handler is told to stop so
 * early that its grace time is over before the lease is.
 *
 * @param leaseNanos counted by this worker from the <em>sending</em> of what the node acknowledged,
 *     so that it ends here before it ends there
 * @param intervalNanos between two heartbeats
 * @param graceNanos that a handler has to stop
 */
record Terms(long leaseNanos, long intervalNanos, long graceNanos) {
  private static final long SHORTEST_TICK_NANOS = Duration.ofMillis(5).toNanos();

  static Terms of(Duration lease, Duration interval, Duration grace) {
    long leaseNanos = lease.toNanos();
    return new Terms(leaseNanos, interval.toNanos(), Math.min(grace.toNanos(), leaseNanos / 4));
  }

  /** After this the handler is told to stop. A quarter of an interval pays for being late. */
  long safeNanos() {
    return leaseNanos - graceNanos - intervalNanos / 4;
  }

  /** The age from which on the next heartbeat is due; with the tick it is about an interval. */
  long beatAfterNanos() {
    return intervalNanos - intervalNanos / 8;
  }

  Duration tick() {
    return Duration.ofNanos(Math.max(SHORTEST_TICK_NANOS, intervalNanos / 8));
  }

  /** How long to wait for work: short against the lease, which is counted from the asking. */
  Duration pollWait() {
    long wait = Math.min(Duration.ofSeconds(30).toNanos(), leaseNanos / 4);
    return Duration.ofNanos(Math.max(Duration.ofMillis(10).toNanos(), wait));
  }
}
