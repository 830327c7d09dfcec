package io.kairos.server.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.stream.DoubleStream;

/** How meters are made, so that all histograms of seconds look alike. */
final class Meters {
  static final double MICROS_PER_SECOND = 1e6;

  private static final double[] BOUNDS = {
    0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 60, 600
  };
  private static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999, 1};
  private static final long SCRAPES_SEE_MAXIMUM_OF_MINUTES = 1;

  private Meters() {}

  static Counter counter(MeterRegistry registry, String name, String about, String... tags) {
    return Counter.builder(name).description(about).tags(tags).register(registry);
  }

  /** A histogram of seconds with fixed bounds: sums up over nodes and time. */
  static DistributionSummary seconds(
      MeterRegistry registry, String name, String about, String... tags) {
    return DistributionSummary.builder(name)
        .description(about)
        .baseUnit("seconds")
        .serviceLevelObjectives(BOUNDS)
        .distributionStatisticExpiry(Duration.ofMinutes(SCRAPES_SEE_MAXIMUM_OF_MINUTES))
        .tags(tags)
        .register(registry);
  }

  /** Percentiles of the last seconds on this node: finer than the histogram's bounds. */
  static void recent(MeterRegistry registry, String name, String about, RecentHistogram recent) {
    DoubleStream.of(QUANTILES)
        .forEach(quantile ->
            Gauge.builder(name, recent, r -> r.at(quantile) / MICROS_PER_SECOND)
                .description(about)
                .baseUnit("seconds")
                .tag("quantile", quantile == 1 ? "1" : Double.toString(quantile))
                .register(registry));
  }
}
