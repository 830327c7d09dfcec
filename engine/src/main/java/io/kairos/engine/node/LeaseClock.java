package io.kairos.engine.node;

import java.time.Duration;
import java.util.OptionalLong;

/** The store's clock as far as a node may judge by it that leases have lapsed. Thread-safe. */
@FunctionalInterface
public interface LeaseClock {
  /**
   * The believed time of the store, in microseconds since 1970; empty while no lease may be judged,
   * because the node has not watched the clock for this long.
   *
   * @param longest the longest lease that is judged
   */
  OptionalLong micros(Duration longest);
}
