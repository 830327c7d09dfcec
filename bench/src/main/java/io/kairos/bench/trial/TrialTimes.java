package io.kairos.bench.trial;

import io.kairos.bench.load.LoadClock;
import java.time.Duration;

/**
 * The moments of a trial, microseconds since the epoch.
 *
 * @param measuredFrom end of the warm-up
 * @param measuredUntil end of the load; {@link Long#MAX_VALUE} when it does not end by time
 */
public record TrialTimes(long start, long measuredFrom, long measuredUntil) {
  private static final long MICROS_PER_SECOND = 1_000_000;

  /** Times of a load that starts after a while. */
  public static TrialTimes in(Duration headStart, Duration warmup, Duration duration) {
    long start = LoadClock.micros() + micros(headStart);
    long measuredFrom = start + micros(warmup);
    return new TrialTimes(start, measuredFrom, measuredFrom + micros(duration));
  }

  /** Times of a load that starts now and is measured as a whole. */
  public static TrialTimes wholeFromNow() {
    return new TrialTimes(LoadClock.micros(), Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** Copies these times without an end. */
  public TrialTimes withoutEnd() {
    return new TrialTimes(start, measuredFrom, Long.MAX_VALUE);
  }

  /** Seconds of the load before the measured part. */
  public int warmupSeconds() {
    return (int) ((measuredFrom - start) / MICROS_PER_SECOND);
  }

  /** A length in microseconds. */
  public static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }
}
