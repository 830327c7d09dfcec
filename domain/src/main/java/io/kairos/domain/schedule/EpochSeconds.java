package io.kairos.domain.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Converts instants and local times to seconds, cut to the years 0 to 9999. */
final class EpochSeconds {
  private EpochSeconds() {}

  /** Returns true for a whole second of these years. */
  static boolean isOne(Instant instant) {
    long second = instant.getEpochSecond();
    return instant.getNano() == 0
        && second >= OccurrenceWalk.FIRST_SECOND
        && second <= OccurrenceWalk.LAST_SECOND;
  }

  /** Returns the first whole second after an instant. */
  static long after(Instant instant) {
    return cut(instant.getEpochSecond() + 1);
  }

  /** Returns the first whole second not before an instant. */
  static long atOrAfter(Instant instant) {
    return cut(instant.getEpochSecond() + (instant.getNano() > 0 ? 1 : 0));
  }

  private static long cut(long second) {
    return Math.clamp(second, OccurrenceWalk.FIRST_SECOND, OccurrenceWalk.LAST_SECOND + 1);
  }

  static LocalDateTime local(long localSecond) {
    return LocalDateTime.ofEpochSecond(localSecond, 0, ZoneOffset.UTC);
  }
}
