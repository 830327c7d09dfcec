package io.kairos.edge.caller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.time.MonotonicClock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts something by address, anew in each minute. Of more than {@value #MOST_ADDRESSES} addresses
 * in a minute the further ones count as having reached their bound. Thread-safe.
 */
final class AddressCounts {
  private static final int MOST_ADDRESSES = 1_000;
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final int most;
  private final MonotonicClock monotonic;

  @GuardedBy("this")
  private final Map<String, Integer> counts = new HashMap<>();

  @GuardedBy("this")
  private long sinceNanos;

  /**
   * Nothing is counted yet.
   *
   * @param most the bound of an address for a minute
   */
  AddressCounts(int most, MonotonicClock monotonic) {
    this.most = most;
    this.monotonic = monotonic;
    this.sinceNanos = monotonic.nanos();
  }

  /** Counts one more; returns how many there were before, at most one more than the bound. */
  synchronized int add(String address) {
    int before = of(address);
    if (before <= most && (counts.size() < MOST_ADDRESSES || counts.containsKey(address))) {
      counts.put(address, before + 1);
    }
    return before;
  }

  /** True when an address has reached its bound. */
  synchronized boolean isFull(String address) {
    return of(address) >= most;
  }

  @GuardedBy("this")
  private int of(String address) {
    long now = monotonic.nanos();
    if (now - sinceNanos > MINUTE_NANOS) {
      sinceNanos = now;
      counts.clear();
    }
    boolean isKnown = counts.size() < MOST_ADDRESSES || counts.containsKey(address);
    return isKnown ? counts.getOrDefault(address, 0) : most + 1;
  }
}
