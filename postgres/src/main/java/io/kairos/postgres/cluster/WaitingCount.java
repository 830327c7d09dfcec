package io.kairos.postgres.cluster;

import io.kairos.engine.cluster.WaitingCounts.Count;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.postgres.sql.FailureText;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Counts what waits of one kind, by cells, without reading all of it. Up to {@value #EXACT} are
 * counted one by one, in an index; of a large table a small sample tells first whether there may be
 * so few. Beyond that a sample of the table's pages tells how many there are of each cell and how
 * sure that is: with a standard error of at most {@value #SURE} of it. Where it is not sure, cells
 * are counted one by one, up to {@value #COUNTED_MORE} rows in all; where that is not enough, a
 * larger sample comes before that. An estimate stays where a statement takes too long. So an
 * estimate is hardly ever wrong by more than a tenth. The exceptions are small cells of a table in
 * which far more rows wait within the span than are counted, and lie in the order of their times:
 * few pages have what is in such a cell, and the estimate may be wrong by a quarter.
 */
final class WaitingCount {
  static final int EXACT = 100_000;
  static final int COUNTED_MORE = 2_000_000;
  static final double SURE = 0.025;

  /** Independent samples, whose differences tell the error. */
  static final int SAMPLES = 16;

  private static final int FEW_PAGES = 500;
  private static final int PAGES = 2_000;
  private static final int MORE_PAGES = 40_000;
  private static final double PERCENT = 100;

  /** Standard errors by which an estimate may be too small. */
  private static final int ERRORS = 3;

  private final Source source;
  private final WaitingCells cells;
  private final long seed;

  /** Answers questions about one kind of work. */
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

    /** True when there may be so few that they are counted one by one. */
    private boolean mayBeExact() {
      return count - ERRORS * error <= EXACT;
    }
  }

  WaitingCount(Source source, WaitingCells cells, long seed) {
    this.source = source;
    this.cells = cells;
    this.seed = seed;
  }

  /** The counts of all cells. */
  List<Count> all() {
    int beyond = cells.count() - 1;
    boolean isSmall = source.pages() <= FEW_PAGES;
    Estimate[] few = isSmall ? new Estimate[0] : sample(FEW_PAGES);
    if (isSmall || few[total()].mayBeExact()) {
      long[] whole = source.count(Long.MIN_VALUE, Long.MAX_VALUE, EXACT + 1);
      if (sum(whole) <= EXACT) {
        return Arrays.stream(whole).mapToObj(count -> new Count(count, false)).toList();
      }
      few = isSmall ? sample(FEW_PAGES) : few;
    }
    Map<Integer, Count> counts = new HashMap<>();
    if (few[within()].mayBeExact()) {
      long[] within = source.count(Long.MIN_VALUE, cells.endMicros(), EXACT + 1);
      if (sum(within) <= EXACT) {
        for (int cell = 0; cell < beyond; cell++) {
          counts.put(cell, new Count(within[cell], false));
        }
        Estimate rest = few[beyond];
        counts.put(beyond, estimated(rest.isSure() ? rest : sampleMore(PAGES, few)[beyond]));
        return inOrder(counts);
      }
    }
    Estimate[] estimates = sampleMore(PAGES, few);
    for (int cell = 0; cell < beyond; cell++) {
      if (estimates[cell].isSure()) {
        counts.put(cell, estimated(estimates[cell]));
      }
    }
    if (most(counts, estimates) > COUNTED_MORE) {
      estimates = sampleMore(MORE_PAGES, estimates);
      for (int cell = 0; cell < beyond; cell++) {
        if (!counts.containsKey(cell) && estimates[cell].isSure()) {
          counts.put(cell, estimated(estimates[cell]));
        }
      }
    }
    countSmallest(counts, estimates);
    for (int cell = 0; cell <= beyond; cell++) {
      counts.putIfAbsent(cell, estimated(estimates[cell]));
    }
    return inOrder(counts);
  }

  private static List<Count> inOrder(Map<Integer, Count> counts) {
    return List.copyOf(new TreeMap<>(counts).values());
  }

  /** Cells within the span that are neither counted nor surely estimated, the smallest first. */
  private List<Integer> unsure(Map<Integer, Count> counts, Estimate[] estimates) {
    return IntStream.range(0, cells.count() - 1)
        .filter(cell -> !counts.containsKey(cell))
        .boxed()
        .sorted(Comparator.comparingDouble(cell -> estimates[cell].count()))
        .toList();
  }

  /** How many rows may be in these cells together. */
  private double most(Map<Integer, Count> counts, Estimate[] estimates) {
    double sum = 0;
    double squares = 0;
    for (int cell : unsure(counts, estimates)) {
      sum += estimates[cell].count();
      squares += estimates[cell].error() * estimates[cell].error();
    }
    return sum + ERRORS * Math.sqrt(squares);
  }

  /** Counts cells one by one, as far as that may go. */
  private void countSmallest(Map<Integer, Count> counts, Estimate[] estimates) {
    int left = COUNTED_MORE;
    for (int cell : unsure(counts, estimates)) {
      long counted;
      try {
        counted = source.count(cells.fromMicros(cell), cells.toMicros(cell), left + 1)[cell];
      } catch (StoreUnavailable e) {
        if (FailureText.isCancelled(e)) {
          return;
        }
        throw e;
      }
      if (counted > left) {
        return;
      }
      left -= (int) counted;
      counts.put(cell, new Count(counted, false));
    }
  }

  /** A larger sample; these estimates when that takes too long. */
  private Estimate[] sampleMore(int pages, Estimate[] estimates) {
    try {
      return sample(pages);
    } catch (StoreUnavailable e) {
      if (FailureText.isCancelled(e)) {
        return estimates;
      }
      throw e;
    }
  }

  private static Count estimated(Estimate estimate) {
    return new Count(Math.round(estimate.count()), true);
  }

  private Estimate[] sample(int pages) {
    double percent = Math.min(PERCENT, PERCENT * pages / SAMPLES / Math.max(1, source.pages()));
    long[][] found = source.sample(percent, seed + pages);
    double scale = PERCENT / percent;
    Estimate[] estimates = new Estimate[cells.count() + 2];
    for (int cell = 0; cell < cells.count(); cell++) {
      estimates[cell] = estimate(found, cell, cell + 1, scale);
    }
    estimates[within()] = estimate(found, 0, cells.count() - 1, scale);
    estimates[total()] = estimate(found, 0, cells.count(), scale);
    return estimates;
  }

  /** The place of what an estimate says of the whole span, after those of cells. */
  private int within() {
    return cells.count();
  }

  /** The place of what it says of everything. */
  private int total() {
    return cells.count() + 1;
  }

  /** An estimate of these cells together. */
  private static Estimate estimate(long[][] found, int fromCell, int toCell, double scale) {
    double mean = 0;
    double squares = 0;
    for (long[] sample : found) {
      double rows = Arrays.stream(sample, fromCell, toCell).sum();
      mean += rows / SAMPLES;
      squares += rows * rows / SAMPLES;
    }
    double variance = Math.max(0, squares - mean * mean) / (SAMPLES - 1);
    // Of sixteen samples some agree by chance: the error is at least that of single rows.
    double error = Math.sqrt(Math.max(variance, mean / SAMPLES));
    return new Estimate(mean * scale, error * scale);
  }

  private static long sum(long[] counts) {
    return Arrays.stream(counts).sum();
  }
}
