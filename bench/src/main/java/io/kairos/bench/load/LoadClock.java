package io.kairos.bench.load;

import java.time.Instant;

/**
 * The clock of generator and observer, the same one that the node reads: microseconds since the
 * epoch. Read anew each time and not counted on from a start, so that a clock that is being slewed
 * does not look like lateness.
 */
public final class LoadClock {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  private LoadClock() {}

  public static long micros() {
    return micros(Instant.now());
  }

  public static long micros(Instant instant) {
    return instant.getEpochSecond() * MICROS_PER_SECOND + instant.getNano() / NANOS_PER_MICRO;
  }
}
