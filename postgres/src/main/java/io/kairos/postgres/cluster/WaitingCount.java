package io.kairos.postgres.cluster;

import io.kairos.engine.cluster.WaitingCounts.Count;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Counts what waits of one kind, by cells, without reading all of it. Up to {@value #EXACT} are
 * counted one by one, in an index. Beyond that a sample of the table's pages tells how many there
 * are of each cell and how sure that is. Cells of which it is not sure are counted one by one, the
 * smallest first, up to {@value #COUNTED_MORE} in all; the rest by a larger sample. An estimate has
 * a standard error of at most {@value #SURE} of it, unless the larger sample is too small for that
 * as well: then there are many more rows than a sample can tell apart, stored in the order of their
 * times.
 */
final class WaitingCount {
  static final int EXACT = 100_000;
  static final int COUNTED_MORE = 1_000_000;
  static final double SURE = 0.03;

  /** Independent samples, whose differences tell the error. */
  static final int SAMPLES = 16;

  private static final int PAGES = 2_000;
  private static final int MORE_PAGES = 20_000;
  private static final double PERCENT = 100;

  /** A cell may have so many standard errors more than estimated. */
  private static final int ROOM = 3;

  private final Source source;
  private final WaitingCells cells;
  private final long seed;

  /** What can be asked of one kind. */
  interface Source {
    /** Counts by cell from a time to before another, up to a number of rows. */
    long[] count(long fromMicros, long toMicros, int most);

    /**
     * Counts by cell in sixteen independent samples.
     *
     * @param percent of the pages in each
     */
    long[][] sample(double percent, long seed);

    /** How many pages there are. */
    long pages();
  }

  /** An estimate and its standard error. */
  private record Estimate(double count, double error) {
    private boolean isSure() {
      return count > 0 && error <= SURE * count;
    }
  }

  WaitingCount(Source source, WaitingCells cells, long seed) {
    this.source = source;
    this.cells = cells;
    this.seed = seed;
  }

  /** The counts of all cells. */
  List<Count> all() {
    long[] whole = source.count(Long.MIN_VALUE, Long.MAX_VALUE, EXACT + 1);
    if (sum(whole) <= EXACT) {
      return Arrays.stream(whole).mapToObj(count -> new Count(count, false)).toList();
    }
    Estimate[] estimates = sample(PAGES);
    int beyond = cells.count() - 1;
    Map<Integer, Count> counts = new HashMap<>();
    counts.put(beyond, estimated(estimates[beyond]));
    long[] within = source.count(Long.MIN_VALUE, cells.endMicros(), EXACT + 1);
    if (sum(within) <= EXACT) {
      for (int cell = 0; cell < beyond; cell++) {
        counts.put(cell, new Count(within[cell], false));
      }
      return inOrder(counts);
    }
    for (int cell = 0; cell < beyond; cell++) {
      if (estimates[cell].isSure()) {
        counts.put(cell, estimated(estimates[cell]));
      }
    }
    countSmallest(counts, estimates);
    if (counts.size() < cells.count()) {
      Estimate[] better = sample(MORE_PAGES);
      for (int cell = 0; cell < beyond; cell++) {
        counts.putIfAbsent(cell, estimated(better[cell]));
      }
    }
    return inOrder(counts);
  }

  private static List<Count> inOrder(Map<Integer, Count> counts) {
    return List.copyOf(new TreeMap<>(counts).values());
  }

  /** Counts cells that are not estimated, the smallest first, as far as that may go. */
  private void countSmallest(Map<Integer, Count> counts, Estimate[] estimates) {
    int left = COUNTED_MORE;
    List<Integer> unsure =
        IntStream.range(0, cells.count())
            .filter(cell -> !counts.containsKey(cell))
            .boxed()
            .sorted(Comparator.comparingDouble(cell -> estimates[cell].count()))
            .toList();
    for (int cell : unsure) {
      Estimate estimate = estimates[cell];
      double most = estimate.count() + ROOM * estimate.error() + (double) EXACT / ROOM;
      if (most > left) {
        return;
      }
      long counted =
          source.count(cells.fromMicros(cell), cells.toMicros(cell), (int) most + 1)[cell];
      left -= (int) counted;
      if (counted <= most) {
        counts.put(cell, new Count(counted, false));
      }
    }
  }

  private static Count estimated(Estimate estimate) {
    return new Count(Math.round(estimate.count()), true);
  }

  private Estimate[] sample(int pages) {
    double percent = Math.min(PERCENT, PERCENT * pages / SAMPLES / Math.max(1, source.pages()));
    long[][] found = source.sample(percent, seed + pages);
    double scale = PERCENT / percent;
    Estimate[] estimates = new Estimate[cells.count()];
    for (int cell = 0; cell < estimates.length; cell++) {
      double mean = 0;
      double squares = 0;
      for (long[] sample : found) {
        mean += (double) sample[cell] / SAMPLES;
        squares += (double) sample[cell] * sample[cell] / SAMPLES;
      }
      double variance = Math.max(0, squares - mean * mean) / (SAMPLES - 1);
      estimates[cell] = new Estimate(mean * scale, Math.sqrt(variance) * scale);
    }
    return estimates;
  }

  private static long sum(long[] counts) {
    return Arrays.stream(counts).sum();
  }
}
