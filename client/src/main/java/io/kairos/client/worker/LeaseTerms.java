package io.kairos.client.worker;

import java.time.Duration;

/**
 * Length of a lease, with the times derived from it. A handler is cancelled so early that its grace
 * time ends before the lease does.
 *
 * @param leaseNanos length of the lease, counted from the <em>sending</em> of the acknowledged
 *     request, so that it ends on the worker before it ends on the node
 * @param intervalNanos time between two heartbeats
 * @param graceNanos time that a handler has to stop
 */
record LeaseTerms(long leaseNanos, long intervalNanos, long graceNanos) {
  private static final long SHORTEST_TICK_NANOS = Duration.ofMillis(5).toNanos();

  static LeaseTerms of(Duration lease, Duration interval, Duration grace) {
    long leaseNanos = lease.toNanos();
    return new LeaseTerms(
        leaseNanos, interval.toNanos(), Math.min(grace.toNanos(), leaseNanos / 4));
  }

  /**
   * Age of the lease at which the handler is cancelled; a quarter of an interval is reserved for
   * late ticks.
   */
  long safeNanos() {
    return leaseNanos - graceNanos - intervalNanos / 4;
  }

  /**
   * Age of the last heartbeat from which the next one is due; with the tick that is about an
   * interval.
   */
  long beatAfterNanos() {
    return intervalNanos - intervalNanos / 8;
  }

  Duration tick() {
    return Duration.ofNanos(Math.max(SHORTEST_TICK_NANOS, intervalNanos / 8));
  }

  /**
   * How long to wait for work: short compared with the lease, which is counted from the request.
   */
  Duration pollWait() {
    long wait = Math.min(Duration.ofSeconds(30).toNanos(), leaseNanos / 4);
    return Duration.ofNanos(Math.max(Duration.ofMillis(10).toNanos(), wait));
  }
}
