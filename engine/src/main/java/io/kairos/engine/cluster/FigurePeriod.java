package io.kairos.engine.cluster;

import io.kairos.domain.time.EpochMicros;
import java.time.Duration;
import java.time.Instant;

/**
 * The periods of five seconds in which nodes count. A period is named by its number since 1970, so
 * that all nodes have the same.
 */
public final class FigurePeriod {
  /** Length of a period. */
  public static final Duration LENGTH = Duration.ofSeconds(5);

  /** Periods of an hour, which are kept. */
  public static final int KEPT = 720;

  /** Periods of a minute. */
  public static final int OF_A_MINUTE = 12;

  private static final long LENGTH_MICROS = EpochMicros.lengthOf(LENGTH);

  private FigurePeriod() {}

  /** The number of the period in which this time is. */
  public static long of(Instant time) {
    return Math.floorDiv(EpochMicros.of(time), LENGTH_MICROS);
  }

  /** The beginning of a period. */
  public static Instant begin(long period) {
    return EpochMicros.toInstant(period * LENGTH_MICROS);
  }

  /** The end of a period, which is the beginning of the next. */
  public static Instant end(long period) {
    return begin(period + 1);
  }
}
