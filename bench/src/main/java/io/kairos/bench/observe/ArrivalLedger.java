package io.kairos.bench.observe;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;

/**
 * Accounts for every message of a run: arrived, duplicated, early, and its lateness. The observer's
 * thread writes, any thread may read. Lateness covers messages that are due within the measured
 * part of the run; losses, duplicates and early messages are counted over the whole run.
 */
public final class ArrivalLedger {
  /** A message that comes more than this before its due time is early. */
  public static final Duration EARLY = Duration.ofMillis(5);

  private static final long EARLY_MICROS = EARLY.toNanos() / 1_000;
  private static final long HIGHEST_MICROS = Duration.ofHours(24).toNanos() / 1_000;
  private static final int MOST_NAMED = 20;

  private final long measuredFromMicros;
  private final long measuredUntilMicros;

  @GuardedBy("this")
  private final BitSet seen = new BitSet();

  @GuardedBy("this")
  private final Histogram lateness = new Histogram(HIGHEST_MICROS, 3);

  private final long startMicros;

  /** Coarse, as a long run has very many. */
  @GuardedBy("this")
  private final Map<Integer, IntCountsHistogram> seconds = new TreeMap<>();

  @GuardedBy("this")
  private long distinct;

  @GuardedBy("this")
  private long duplicates;

  @GuardedBy("this")
  private long early;

  @GuardedBy("this")
  private long damaged;

  @GuardedBy("this")
  private long mostEarlyMicros;

  @GuardedBy("this")
  private long lastAtMicros;

  @GuardedBy("this")
  private long lastFirstAtMicros;

  /**
   * @param startMicros when the load begins: second 0 of the plot
   * @param measuredFromMicros first due time that counts for lateness, after the warm-up
   * @param measuredUntilMicros first due time that does not count any more: when the load ends
   */
  public ArrivalLedger(long startMicros, long measuredFromMicros, long measuredUntilMicros) {
    this.measuredFromMicros = measuredFromMicros;
    this.measuredUntilMicros = measuredUntilMicros;
    this.startMicros = startMicros;
  }

  /** A ledger that measures everything. */
  public static ArrivalLedger ofEverything(long startMicros) {
    return new ArrivalLedger(startMicros, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /**
   * Counts of the arrivals so far.
   *
   * @param distinct messages that came at least once
   * @param duplicates arrivals beyond the first of a message
   * @param early more than {@link #EARLY} before the due time
   * @param damaged values that did not come out as they went in
   * @param lastAtMicros of the last arrival
   * @param lastFirstAtMicros of the last arrival that was no duplicate
   */
  public record Count(
      long distinct,
      long duplicates,
      long early,
      Duration mostEarly,
      long damaged,
      long lastAtMicros,
      long lastFirstAtMicros) {}

  /** Returns true when the message, or task, had come before. */
  public synchronized boolean arrived(
      long sequence, long dueMicros, long atMicros, boolean intact) {
    lastAtMicros = atMicros;
    boolean again = seen.get(Math.toIntExact(sequence));
    if (again) {
      duplicates++;
    } else {
      seen.set(Math.toIntExact(sequence));
      distinct++;
    }
    if (!intact) {
      damaged++;
    }
    long lateMicros = atMicros - dueMicros;
    if (lateMicros < 0) {
      mostEarlyMicros = Math.max(mostEarlyMicros, -lateMicros);
      if (-lateMicros > EARLY_MICROS) {
        early++;
      }
    }
    long absoluteMicros = Math.min(Math.abs(lateMicros), HIGHEST_MICROS);
    if (!again) {
      lastFirstAtMicros = atMicros;
      seconds
          .computeIfAbsent(
              (int) Math.floorDiv(dueMicros - startMicros, 1_000_000L),
              _ -> new IntCountsHistogram(HIGHEST_MICROS, 2))
          .recordValue(absoluteMicros);
      if (dueMicros >= measuredFromMicros && dueMicros < measuredUntilMicros) {
        lateness.recordValue(absoluteMicros);
      }
    }
    return again;
  }

  public synchronized Count count() {
    return new Count(
        distinct,
        duplicates,
        early,
        Duration.ofNanos(mostEarlyMicros * 1_000),
        damaged,
        lastAtMicros,
        lastFirstAtMicros);
  }

  /**
   * Lateness of messages due in the measured part; of duplicates, only the first arrival counts.
   */
  public synchronized LatenessSummary lateness() {
    return LatenessSummary.ofMicros(lateness);
  }

  /** Lateness of each second of due time since the start, warm-up included. */
  public synchronized List<List<Number>> secondP50P99P999() {
    List<List<Number>> all = new ArrayList<>();
    seconds.forEach((second, histogram) -> {
      LatenessSummary late = LatenessSummary.ofMicros(histogram);
      all.add(List.of(second, late.p50(), late.p99(), late.p999()));
    });
    return all;
  }

  /** Messages below {@code sent} that never came, without those whose fate was never promised. */
  public synchronized Missing missing(long sent, Set<Long> notAccepted) {
    long lost = 0;
    List<Long> named = new ArrayList<>();
    for (long sequence = 0; sequence < sent; sequence++) {
      if (!seen.get(Math.toIntExact(sequence)) && !notAccepted.contains(sequence)) {
        lost++;
        if (named.size() < MOST_NAMED) {
          named.add(sequence);
        }
      }
    }
    return new Missing(lost, named);
  }

  /**
   * Messages that were accepted and never came.
   *
   * @param named some of them, to look for
   */
  public record Missing(long lost, List<Long> named) {}
}
