package io.kairos.server.observe;

import java.util.ArrayDeque;
import java.util.Deque;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Percentiles of the last seconds, to within one percent. {@link #record} may be called by any
 * thread and costs some tens of nanoseconds; {@link #turn} is called by one thread every few
 * seconds and makes a new reading. A reading covers the last {@value #TURNS} turns.
 */
final class RecentHistogram {
  private static final int TURNS = 3;
  private static final int DIGITS = 2;
  private static final long LARGEST = 24L * 3_600 * 1_000_000;

  private final Recorder recorder = new Recorder(LARGEST, DIGITS);
  private final Deque<Histogram> turns = new ArrayDeque<>();
  private volatile Histogram reading = new Histogram(LARGEST, DIGITS);

  void record(long micros) {
    recorder.recordValue(Math.clamp(micros, 0, LARGEST));
  }

  void turn() {
    Histogram recycled = turns.size() == TURNS ? turns.pollFirst() : null;
    turns.addLast(recorder.getIntervalHistogram(recycled));
    Histogram all = new Histogram(LARGEST, DIGITS);
    turns.forEach(all::add);
    reading = all;
  }

  /**
   * A percentile in microseconds; 0 when nothing was recorded.
   *
   * @param quantile from 0 to 1
   */
  long at(double quantile) {
    return reading.getValueAtPercentile(quantile * 100);
  }
}
