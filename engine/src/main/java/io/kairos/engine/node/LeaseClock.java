package io.kairos.engine.node;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The store's clock as far as a node may judge by it that leases have lapsed, and that deadlines
 * and timeouts have passed. Thread-safe.
 */
@FunctionalInterface
public interface LeaseClock {
  /** The time by which nothing has passed, for a node that may judge nothing. */
  long NOTHING_PASSED = Long.MIN_VALUE;

  /**
   * The believed time of the store, in microseconds since 1970; empty while no lease may be judged,
   * because the node has not watched the clock for this long.
   *
   * @param longest the longest lease that is judged
   */
  OptionalLong micros(Duration longest);
}
