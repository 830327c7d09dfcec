package io.kairos.bench.load;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * When each message of a run is due. Called once per message, in order, by the generator's thread.
 */
@FunctionalInterface
public interface LoadDueTimes {
  long MICROS_PER_MILLI = 1_000;

  /**
   * Microseconds since the epoch, a whole number of milliseconds.
   *
   * @param scheduledMicros when the message should be sent, which is not when it is sent: a
   *     generator that was held up must not move the due time
   */
  long dueMicros(long sequence, long scheduledMicros);

  /** Delays spread evenly between two bounds. */
  static LoadDueTimes after(Duration atLeast, Duration atMost, long seed) {
    long least = atLeast.toMillis();
    long most = atMost.toMillis();
    if (least < 0 || most < least) {
      throw new IllegalArgumentException("the shortest delay must not exceed the longest");
    }
    SplittableRandom random = new SplittableRandom(seed);
    return (_, scheduledMicros) ->
        wholeMillis(scheduledMicros + random.nextLong(least, most + 1) * MICROS_PER_MILLI);
  }

  /**
   * All within {@code length} from {@code startMicros} on, in an order that has nothing to do with
   * it.
   */
  static LoadDueTimes within(long startMicros, Duration length, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long millis = Math.max(1, length.toMillis());
    return (_, _) -> wholeMillis(startMicros + random.nextLong(millis) * MICROS_PER_MILLI);
  }

  private static long wholeMillis(long micros) {
    return Math.ceilDiv(micros, MICROS_PER_MILLI) * MICROS_PER_MILLI;
  }
}
