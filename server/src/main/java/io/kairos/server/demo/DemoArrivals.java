package io.kairos.server.demo;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Records which messages have arrived, when, and how often, by their number. Used by one thread.
 */
public final class DemoArrivals {
  /** A message that arrives earlier than its due time by more than this counts as early. */
  public static final long EARLY_MICROS = 5_000;

  private final long[] dueMicros;
  private final int[] times;
  private final long[] latenessMicros;
  private int arrived;

  /**
   * @param dueMicros due time of each message, in microseconds since 1970
   */
  public DemoArrivals(long[] dueMicros) {
    this.dueMicros = dueMicros.clone();
    this.times = new int[dueMicros.length];
    this.latenessMicros = new long[dueMicros.length];
  }

  /** Records an arrival; the first one of a message determines its lateness. */
  void note(int number, long atMicros) {
    times[number]++;
    if (times[number] == 1) {
      latenessMicros[number] = atMicros - dueMicros[number];
      arrived++;
    }
  }

  public int expected() {
    return dueMicros.length;
  }

  public int arrived() {
    return arrived;
  }

  public boolean isComplete() {
    return arrived() == expected();
  }

  public int lost() {
    return expected() - arrived();
  }

  /** Arrivals beyond the first of each message. */
  public int duplicated() {
    return Arrays.stream(times).sum() - arrived;
  }

  public int early() {
    return (int) Arrays.stream(lateness()).filter(micros -> micros < -EARLY_MICROS).count();
  }

  /** Signed lateness of the messages that have arrived, in microseconds, ascending. */
  public long[] lateness() {
    return IntStream.range(0, expected())
        .filter(number -> times[number] > 0)
        .mapToLong(number -> latenessMicros[number])
        .sorted()
        .toArray();
  }

  public boolean isFlawless() {
    return lost() == 0 && duplicated() == 0 && early() == 0;
  }
}
