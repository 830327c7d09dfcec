package io.kairos.domain.time;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Converts instants to microseconds since 1970-01-01T00:00Z, which the store and hot arrays keep.
 * Exact for the years 0000 to 9999. Rounds up, because a due time that is rounded down would fire
 * early.
 */
public final class EpochMicros {
  /** 0000-01-01T00:00:00Z, the earliest due time that is accepted. */
  public static final long MIN = -62_167_219_200_000_000L;

  /** 9999-12-31T23:59:59.999999Z, the latest due time that is accepted. */
  public static final long MAX = 253_402_300_799_999_999L;

  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  private EpochMicros() {}

  /**
   * The first whole microsecond not before {@code instant}.
   *
   * @throws ArithmeticException when the instant is too far away for a long
   */
  public static long of(Instant instant) {
    long micros = Math.multiplyExact(instant.getEpochSecond(), MICROS_PER_SECOND);
    return Math.addExact(micros, Math.ceilDiv(instant.getNano(), NANOS_PER_MICRO));
  }

  public static Instant toInstant(long epochMicros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(epochMicros, MICROS_PER_SECOND),
        Math.floorMod(epochMicros, MICROS_PER_SECOND) * NANOS_PER_MICRO);
  }

  /**
   * Length in microseconds, rounded down. Throws {@link ArithmeticException} above 292,000 years.
   */
  public static long lengthOf(Duration duration) {
    return Math.addExact(
        Math.multiplyExact(duration.getSeconds(), MICROS_PER_SECOND),
        duration.getNano() / NANOS_PER_MICRO);
  }

  public static Duration toDuration(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  /** True when a due time lies in the years 0000 to 9999. */
  public static boolean inRange(long epochMicros) {
    return epochMicros >= MIN && epochMicros <= MAX;
  }
}
