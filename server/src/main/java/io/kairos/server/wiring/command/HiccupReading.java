package io.kairos.server.wiring.command;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the meter of host hiccups from the metrics, to show it beside the lateness. */
final class HiccupReading {
  private static final Pattern P999 =
      Pattern.compile("kairos_host_hiccup_recent_seconds\\{quantile=\"0\\.999\"\\} (\\S+)");
  private static final double MILLIS_PER_SECOND = 1_000;

  private HiccupReading() {}

  /** A sentence about the hiccups; empty when the metrics have none. */
  static String in(String metrics) {
    Matcher matcher = P999.matcher(metrics);
    if (!matcher.find()) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "%nIn the same time a thread that asked to wait 1 ms was up to %.1f ms late (p99.9): that is the host's share.",
        Double.parseDouble(String.valueOf(matcher.group(1))) * MILLIS_PER_SECOND);
  }
}
