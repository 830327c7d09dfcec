package io.kairos.server.demo;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Arrays;
import java.util.Locale;

/** The report that the demo prints at its end. Pure functions. */
public final class DemoReport {
  private static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999, 1};
  private static final String[] NAMES = {"p50", "p90", "p99", "p99.9", "max"};

  /** Upper bounds of the bars, in milliseconds; one more bar shows the values above the last. */
  private static final int[] BOUNDS = {-5, 0, 1, 2, 5, 10, 20, 50, 100, 500};

  private static final int WIDTH = 50;
  private static final double MICROS_PER_MILLI = 1_000;

  private DemoReport() {}

  /** Percentiles of the absolute lateness, and bars of the signed lateness. */
  public static String of(DemoArrivals arrivals) {
    long[] signed = arrivals.lateness();
    return percentiles(signed) + "\n" + bars(signed) + "\n" + verdict(arrivals);
  }

  static String percentiles(long[] signed) {
    long[] absolute = Arrays.stream(signed).map(Math::abs).sorted().toArray();
    StringBuilder line = new StringBuilder("  ");
    for (int i = 0; i < QUANTILES.length; i++) {
      line.append(
          format("%s %.1f ms    ", NAMES[i], at(absolute, QUANTILES[i]) / MICROS_PER_MILLI));
    }
    return line.toString().stripTrailing() + "\n";
  }

  /** The smallest value that is not below this share of all values; 0 if there are none. */
  private static double at(long[] ascending, double quantile) {
    if (ascending.length == 0) {
      return 0;
    }
    int rank = (int) Math.ceil(quantile * ascending.length);
    return ascending[Math.max(0, rank - 1)];
  }

  static String bars(long[] signed) {
    int[] counts = new int[BOUNDS.length + 1];
    for (long micros : signed) {
      counts[bar(micros)]++;
    }
    int first = 0;
    int last = counts.length - 1;
    while (first < last && counts[first] == 0) {
      first++;
    }
    while (last > first && counts[last] == 0) {
      last--;
    }
    int most = Math.max(1, Arrays.stream(counts).max().orElse(1));
    StringBuilder bars = new StringBuilder();
    for (int i = first; i <= last; i++) {
      int width = (int) Math.ceil((double) counts[i] * WIDTH / most);
      bars.append(format("  %12s  %5d  %s%n", label(i), counts[i], "#".repeat(width)));
    }
    return bars.toString();
  }

  private static int bar(long micros) {
    int bar = 0;
    while (bar < BOUNDS.length && micros > BOUNDS[bar] * MICROS_PER_MILLI) {
      bar++;
    }
    return bar;
  }

  private static String label(int bar) {
    if (bar == 0) {
      return "below " + BOUNDS[0] + " ms";
    }
    return bar == BOUNDS.length ? "above " + BOUNDS[bar - 1] + " ms" : "to " + BOUNDS[bar] + " ms";
  }

  private static String verdict(DemoArrivals arrivals) {
    return format(
        "  lost / duplicated / early = %d / %d / %d   (early: more than 5 ms before its time)%n",
        arrivals.lost(), arrivals.duplicated(), arrivals.early());
  }

  @FormatMethod
  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values).replace("\r\n", "\n");
  }
}
