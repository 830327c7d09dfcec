package io.kairos.bench.measure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.kairos.bench.report.ShownNumbers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * Reads a JVM's log of safepoints and collections, whatever the collector: every pause of all
 * threads is a safepoint with its total, and ZGC says when a thread had to wait for memory.
 */
public final class GcLog {
  private static final Pattern WRITTEN_AT = Pattern.compile("^\\[(\\d+)ms\\]");
  private static final Pattern PAUSE = Pattern.compile("Safepoint \"(\\w+)\".*Total: +(\\d+) ns");
  private static final Pattern STALL =
      Pattern.compile("Allocation Stall \\([^)]*\\) (\\d+\\.\\d+)ms");
  private static final Pattern COLLECTION =
      Pattern.compile("GC\\(\\d+\\) (?:Minor|Major|Pause|Garbage).*->");
  private static final long NANOS_PER_MICRO = 1_000;
  private static final double MILLIS_PER_SECOND = 1_000;

  private GcLog() {}

  /** JVM options that write such a log. */
  public static List<String> options(Path file) {
    return List.of("-Xlog:safepoint,gc:file=" + file + ":timemillis:filecount=0");
  }

  /**
   * Figures of a part of the log.
   *
   * @param pauses safepoints, of collections and others
   * @param stalls threads that waited for memory (ZGC)
   */
  public record Pauses(
      long collections,
      long pauses,
      double pauseTotalMillis,
      double pauseP999Millis,
      double pauseMaxMillis,
      long stalls,
      double stallMaxMillis) {
    @Override
    public String toString() {
      return "%d collections, %d pauses of %s in all, p99.9 %s, max %s; %d waits for memory, max %s"
          .formatted(
              collections,
              pauses,
              ShownNumbers.millis(pauseTotalMillis),
              ShownNumbers.millis(pauseP999Millis),
              ShownNumbers.millis(pauseMaxMillis),
              stalls,
              ShownNumbers.millis(stallMaxMillis));
    }
  }

  /** Between two moments. A log that is not there says that nothing happened. */
  public static Pauses read(Path file, Instant from, Instant until) {
    Histogram pauses = new Histogram(3);
    double pauseTotal = 0;
    long collections = 0;
    long stalls = 0;
    double stallMax = 0;
    for (String line : FileLines.of(file, UTF_8)) {
      if (!within(line, from.toEpochMilli(), until.toEpochMilli())) {
        continue;
      }
      Matcher pause = PAUSE.matcher(line);
      if (pause.find()) {
        long micros = Long.parseLong(requireNonNull(pause.group(2))) / NANOS_PER_MICRO;
        pauses.recordValue(micros);
        pauseTotal += micros / MILLIS_PER_SECOND;
      }
      Matcher stall = STALL.matcher(line);
      if (stall.find()) {
        stalls++;
        stallMax = Math.max(stallMax, Double.parseDouble(requireNonNull(stall.group(1))));
      }
      if (COLLECTION.matcher(line).find()) {
        collections++;
      }
    }
    return new Pauses(
        collections,
        pauses.getTotalCount(),
        pauseTotal,
        pauses.getValueAtPercentile(99.9) / MILLIS_PER_SECOND,
        pauses.getMaxValue() / MILLIS_PER_SECOND,
        stalls,
        stallMax);
  }

  private static boolean within(String line, long fromMillis, long untilMillis) {
    Matcher writtenAt = WRITTEN_AT.matcher(line);
    if (!writtenAt.find()) {
      return false;
    }
    long millis = Long.parseLong(requireNonNull(writtenAt.group(1)));
    return millis >= fromMillis && millis < untilMillis;
  }
}
