package io.kairos.server.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Makes the meters of one registry; all histograms of seconds have equal bounds. */
record MeterFactory(MeterRegistry registry) {
  static final double MICROS_PER_SECOND = 1e6;

  private static final String SECONDS = "seconds";
  private static final double[] BOUNDS = {
    0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 60, 600
  };
  private static final List<String> PERCENTILES = List.of("50", "90", "99", "99.9", "100");
  private static final long SCRAPES_SEE_MAXIMUM_OF_MINUTES = 1;

  /** The value of a tag for a constant: its name in lower case. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  Counter counter(String name, String about, String... tags) {
    return Counter.builder(name).description(about).tags(tags).register(registry);
  }

  /** A counter for each of these constants, which {@code word} names in the tag {@code key}. */
  <E extends Enum<E>> Kinds<E> counters(
      List<E> kinds,
      String name,
      String about,
      String key,
      Function<E, String> word,
      String... tags) {
    Map<E, Counter> counters = new EnumMap<>(kinds.getFirst().getDeclaringClass());
    for (E kind : kinds) {
      Tags all = Tags.of(tags).and(key, word.apply(kind));
      counters.put(kind, Counter.builder(name).description(about).tags(all).register(registry));
    }
    return new Kinds<>(counters);
  }

  /** Counters by the constants of an enum; a constant without a counter is not counted. */
  record Kinds<E extends Enum<E>>(Map<E, Counter> counters) {
    void increment(E kind) {
      Counter counter = counters.get(kind);
      if (counter != null) {
        counter.increment();
      }
    }
  }

  void gauge(String name, String about, Supplier<Number> value) {
    Gauge.builder(name, value).description(about).register(registry);
  }

  void gaugeOfSeconds(String name, String about, Supplier<Number> value) {
    Gauge.builder(name, value).description(about).baseUnit(SECONDS).register(registry);
  }

  /** A histogram of seconds with fixed bounds, which can be summed over nodes and time. */
  DistributionSummary seconds(String name, String about, String... tags) {
    return DistributionSummary.builder(name)
        .description(about)
        .baseUnit(SECONDS)
        .serviceLevelObjectives(BOUNDS)
        .distributionStatisticExpiry(Duration.ofMinutes(SCRAPES_SEE_MAXIMUM_OF_MINUTES))
        .tags(tags)
        .register(registry);
  }

  /**
   * Percentiles of the last seconds on this node, finer than a histogram's bounds. Gauges, because
   * Prometheus keeps the label {@code quantile} for summaries, which have a count and a sum.
   */
  void recent(String name, String about, RecentHistogram recent) {
    PERCENTILES.forEach(percentile -> {
      double quantile = Double.parseDouble(percentile) / 100;
      Gauge.builder(name, recent, r -> r.at(quantile) / MICROS_PER_SECOND)
          .description(about)
          .baseUnit(SECONDS)
          .tag("percentile", percentile)
          .register(registry);
    });
  }
}
