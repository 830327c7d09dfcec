package io.kairos.bench.observe;

import org.HdrHistogram.AbstractHistogram;

/**
 * A distribution, in milliseconds: of the absolute value of lateness, or of hiccups. {@code null}
 * never stands for nothing: without values all figures are zero.
 */
public record LatenessSummary(
    long count, double p50, double p90, double p99, double p999, double max) {
  private static final double MICROS_PER_MILLI = 1_000;

  /** Summarises a histogram of microseconds. */
  public static LatenessSummary ofMicros(AbstractHistogram histogram) {
    return new LatenessSummary(
        histogram.getTotalCount(),
        at(histogram, 50),
        at(histogram, 90),
        at(histogram, 99),
        at(histogram, 99.9),
        histogram.getMaxValue() / MICROS_PER_MILLI);
  }

  private static double at(AbstractHistogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
  }
}
