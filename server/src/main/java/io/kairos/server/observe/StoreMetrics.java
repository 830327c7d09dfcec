package io.kairos.server.observe;

import io.kairos.engine.node.StoreCallTimer;
import io.kairos.engine.time.MonotonicClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;

/** Metrics of the calls of the store. Thread-safe. */
public final class StoreMetrics implements StoreCallTimer {
  private static final double NANOS_PER_SECOND = 1e9;

  private final MonotonicClock monotonic;
  private final DistributionSummary answered;
  private final Counter failed;

  public StoreMetrics(MeterRegistry registry, MonotonicClock monotonic) {
    this.monotonic = monotonic;
    MeterFactory meters = new MeterFactory(registry);
    answered =
        meters.seconds(
            "kairos.store.call",
            "Statements and transactions that the store answered, with the wait for a connection");
    failed =
        meters.counter(
            "kairos.store.call.failures",
            "Statements and transactions that the store did not answer");
  }

  @Override
  public StoreCall begin() {
    long sinceNanos = monotonic.nanos();
    return isAnswered -> {
      if (isAnswered) {
        answered.record((monotonic.nanos() - sinceNanos) / NANOS_PER_SECOND);
      } else {
        failed.increment();
      }
    };
  }
}
