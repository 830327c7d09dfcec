package io.kairos.bench.observe;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.bench.load.LoadPlan;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The first arrival of every message of a run, for questions afterwards: about 20 bytes per
 * message. The observer's thread writes, any thread may read.
 */
public final class ArrivalLog {
  private static final int INITIAL = 1 << 16;
  private static final long HIGHEST_MICROS = 24L * 3_600 * 1_000_000;
  private static final long NEVER = 0;

  @GuardedBy("this")
  private long[] dueMicros = new long[INITIAL];

  @GuardedBy("this")
  private long[] atMicros = new long[INITIAL];

  @GuardedBy("this")
  private int[] partitions = new int[INITIAL];

  @GuardedBy("this")
  private int highest = -1;

  /** All below have come. */
  @GuardedBy("this")
  private int complete;

  /** A message that is being sent: it is overdue from its due time on until it comes. */
  private synchronized void expect(long sequence, long due) {
    int at = place(sequence); // may put a longer array in the place of this one
    dueMicros[at] = due;
  }

  /** Returns the plan of a load whose messages are expected as their due times are given out. */
  public LoadPlan expecting(LoadPlan plan) {
    return new LoadPlan(
        plan.count(),
        plan.perSecond(),
        (sequence, scheduledMicros) -> {
          long due = plan.dueTimes().dueMicros(sequence, scheduledMicros);
          expect(sequence, due);
          return due;
        });
  }

  /** A message has come. On the observer's thread. */
  synchronized void arrived(long sequence, int partition, long due, long arrivedMicros) {
    int at = place(sequence);
    if (atMicros[at] == NEVER) {
      dueMicros[at] = due;
      atMicros[at] = arrivedMicros;
      partitions[at] = partition;
    }
  }

  @GuardedBy("this")
  private int place(long sequence) {
    int at = Math.toIntExact(sequence);
    if (at >= dueMicros.length) {
      int length = Math.max(at + 1, dueMicros.length * 2);
      dueMicros = Arrays.copyOf(dueMicros, length);
      atMicros = Arrays.copyOf(atMicros, length);
      partitions = Arrays.copyOf(partitions, length);
    }
    highest = Math.max(highest, at);
    return at;
  }

  /** Number of expected messages that were due before the given moment and have not come. */
  public synchronized long overdue(long dueBeforeMicros) {
    while (complete <= highest && atMicros[complete] != NEVER) {
      complete++;
    }
    long count = 0;
    for (int i = complete; i <= highest; i++) {
      if (atMicros[i] == NEVER && dueMicros[i] < dueBeforeMicros) {
        count++;
      }
    }
    return count;
  }

  /** When the message came first, microseconds since the epoch; 0 while it has not. */
  public synchronized long atMicros(long sequence) {
    return sequence > highest ? NEVER : atMicros[(int) sequence];
  }

  /** Lateness of messages due in [from, until) that came out of the given partitions. */
  public synchronized LatenessSummary lateness(
      long fromMicros, long untilMicros, IntPredicate partitionsWanted) {
    Histogram histogram = new Histogram(HIGHEST_MICROS, 3);
    for (int i = 0; i <= highest; i++) {
      if (atMicros[i] != NEVER
          && dueMicros[i] >= fromMicros
          && dueMicros[i] < untilMicros
          && partitionsWanted.test(partitions[i])) {
        histogram.recordValue(Math.min(Math.abs(atMicros[i] - dueMicros[i]), HIGHEST_MICROS));
      }
    }
    return LatenessSummary.ofMicros(histogram);
  }

  /**
   * By how many places messages came out of the order of their due times: for each, the distance
   * between the place it came at and the nearest place that its due time would have allowed.
   */
  public synchronized Disorder disorder() {
    long[] arrivals = atMicros;
    long[] expected = dueMicros;
    // Records of one poll came at the same moment; their order is that of the fetch.
    long[] dues =
        IntStream.rangeClosed(0, highest)
            .filter(i -> arrivals[i] != NEVER)
            .boxed()
            .sorted(
                Comparator.<Integer>comparingLong(i -> arrivals[i])
                    .thenComparingLong(i -> expected[i]))
            .mapToLong(i -> expected[i])
            .toArray();
    long[] inOrder = dues.clone();
    Arrays.sort(inOrder);
    Map<Long, Integer> first = new HashMap<>();
    Map<Long, Integer> last = new HashMap<>();
    for (int place = 0; place < dues.length; place++) {
      first.putIfAbsent(inOrder[place], place);
      last.put(inOrder[place], place);
    }
    Histogram places = new Histogram(Math.max(2, dues.length), 3);
    for (int place = 0; place < dues.length; place++) {
      int least = requireNonNull(first.get(dues[place]));
      int most = requireNonNull(last.get(dues[place]));
      places.recordValue(Math.abs(place - Math.clamp(place, least, most)));
    }
    return new Disorder(places.getValueAtPercentile(99.9), places.getMaxValue());
  }

  /** Places out of order. */
  public record Disorder(long p999, long max) {
    /** True when nearly all of so many came within 2 % of their place. */
    public boolean isKept(long count) {
      return p999 <= count * 0.02;
    }
  }
}
