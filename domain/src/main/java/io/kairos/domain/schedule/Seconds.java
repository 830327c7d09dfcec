package io.kairos.domain.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Instants and local times as the seconds that searches go by, cut to the years 0 to 9999. */
final class Seconds {
  private Seconds() {}

  static boolean isWhole(Instant instant) {
    return instant.equals(instant.truncatedTo(ChronoUnit.SECONDS));
  }

  static boolean isInRange(Instant instant) {
    long second = instant.getEpochSecond();
    return second >= Walk.FIRST_SECOND && second <= Walk.LAST_SECOND;
  }

  /** The first whole second after an instant. */
  static long after(Instant instant) {
    return cut(instant.getEpochSecond() + 1);
  }

  /** The first whole second not before an instant. */
  static long atOrAfter(Instant instant) {
    return cut(instant.getEpochSecond() + (instant.getNano() > 0 ? 1 : 0));
  }

  private static long cut(long second) {
    return Math.clamp(second, Walk.FIRST_SECOND, Walk.LAST_SECOND + 1);
  }

  static LocalDateTime local(long localSecond) {
    return LocalDateTime.ofEpochSecond(localSecond, 0, ZoneOffset.UTC);
  }
}
