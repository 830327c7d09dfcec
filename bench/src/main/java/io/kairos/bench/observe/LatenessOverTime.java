package io.kairos.bench.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.IntCountsHistogram;

/**
 * Lateness per second of due time, coarse enough to keep one histogram for each second of a long
 * run. Not thread-safe: {@link ArrivalLedger} guards it.
 */
final class LatenessOverTime {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long HIGHEST_MICROS = 3_600 * MICROS_PER_SECOND;
  private static final int DIGITS = 2;

  private final long startMicros;
  private final Map<Integer, IntCountsHistogram> seconds = new TreeMap<>();

  LatenessOverTime(long startMicros) {
    this.startMicros = startMicros;
  }

  void record(long dueMicros, long absoluteMicros) {
    int second = (int) Math.floorDiv(dueMicros - startMicros, MICROS_PER_SECOND);
    seconds
        .computeIfAbsent(second, _ -> new IntCountsHistogram(HIGHEST_MICROS, DIGITS))
        .recordValue(Math.min(absoluteMicros, HIGHEST_MICROS));
  }

  List<ArrivalLedger.Second> seconds() {
    List<ArrivalLedger.Second> all = new ArrayList<>();
    seconds.forEach((second, histogram) ->
        all.add(new ArrivalLedger.Second(second, LatenessSummary.ofMicros(histogram))));
    return all;
  }
}
