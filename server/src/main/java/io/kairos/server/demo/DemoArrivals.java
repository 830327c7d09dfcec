package io.kairos.server.demo;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Records which messages have arrived, when, and how often, by their number. Written by the
 * consuming thread, read by any.
 */
public final class DemoArrivals {
  /** A message that arrives earlier than its due time by more than this counts as early. */
  public static final long EARLY_MICROS = 5_000;

  private final long[] dueMicros;
  private final AtomicIntegerArray times;
  private final AtomicLongArray latenessMicros;
  private final AtomicInteger arrived = new AtomicInteger();

  /**
   * @param dueMicros due time of each message, in microseconds since 1970
   */
  public DemoArrivals(long[] dueMicros) {
    this.dueMicros = dueMicros.clone();
    this.times = new AtomicIntegerArray(dueMicros.length);
    this.latenessMicros = new AtomicLongArray(dueMicros.length);
  }

  /** Records an arrival; the first one of a message determines its lateness. */
  void note(int number, long atMicros) {
    if (times.incrementAndGet(number) == 1) {
      latenessMicros.set(number, atMicros - dueMicros[number]);
      arrived.incrementAndGet();
    }
  }

  public int expected() {
    return dueMicros.length;
  }

  public int arrived() {
    return arrived.get();
  }

  public boolean isComplete() {
    return arrived() == expected();
  }

  public int lost() {
    return expected() - arrived();
  }

  /** Arrivals beyond the first of each message. */
  public int duplicated() {
    int more = 0;
    for (int i = 0; i < expected(); i++) {
      more += Math.max(0, times.get(i) - 1);
    }
    return more;
  }

  public int early() {
    int early = 0;
    for (long lateness : lateness()) {
      if (lateness < -EARLY_MICROS) {
        early++;
      }
    }
    return early;
  }

  /** Signed lateness of the messages that have arrived, in microseconds, ascending. */
  public long[] lateness() {
    long[] all = new long[expected()];
    int count = 0;
    for (int i = 0; i < expected(); i++) {
      if (times.get(i) > 0) {
        all[count++] = latenessMicros.get(i);
      }
    }
    long[] sorted = Arrays.copyOf(all, count);
    Arrays.sort(sorted);
    return sorted;
  }

  public boolean isFlawless() {
    return lost() == 0 && duplicated() == 0 && early() == 0;
  }
}
