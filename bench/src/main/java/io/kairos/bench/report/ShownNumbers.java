package io.kairos.bench.report;

import java.time.Duration;
import java.util.Locale;

/** Formats numbers for people. */
public final class ShownNumbers {
  private static final double MIB = 1 << 20;
  private static final int SECONDS_PER_MINUTE = 60;

  private ShownNumbers() {}

  /** 30,000. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Rounded. */
  public static String count(double number) {
    return count(Math.round(number));
  }

  /** Prints a number with few digits: 0.12, 3.4, 56. */
  public static String decimal(double number) {
    double absolute = Math.abs(number);
    String format = absolute < 1 ? "%.2f" : absolute < 100 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, number);
  }

  public static String millis(double millis) {
    return decimal(millis) + " ms";
  }

  public static String mebibytes(long bytes) {
    return decimal(bytes / MIB) + " MiB";
  }

  public static String duration(Duration duration) {
    if (duration.toSeconds() >= SECONDS_PER_MINUTE
        && duration.toSeconds() % SECONDS_PER_MINUTE == 0) {
      return duration.toMinutes() + " min";
    }
    return duration.toMillis() % 1_000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }
}
