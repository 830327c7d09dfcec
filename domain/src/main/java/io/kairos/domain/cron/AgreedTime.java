package io.kairos.domain.cron;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The time that replicas have agreed upon. Replicated code may read no other time. It never goes
 * back.
 */
public sealed interface AgreedTime {
  AgreedTime OFF = new Off();

  /** Makes a time from milliseconds since 1970. */
  static At at(long epochMillis) {
    return new At(Instant.ofEpochMilli(epochMillis));
  }

  /**
   * A moment.
   *
   * @param instant whole milliseconds of the years 0 to 9999
   */
  record At(Instant instant) implements AgreedTime {
    private static final long FIRST_MILLIS = -62_167_219_200_000L;
    private static final long LAST_MILLIS = 253_402_300_799_999L;
    private static final Instant FIRST = Instant.ofEpochMilli(FIRST_MILLIS);
    private static final Instant LAST = Instant.ofEpochMilli(LAST_MILLIS);

    /** Throws {@link IllegalArgumentException} for an instant out of range. */
    public At {
      require(
          !instant.isBefore(FIRST)
              && !instant.isAfter(LAST)
              && instant.equals(instant.truncatedTo(ChronoUnit.MILLIS)),
          "agreed time has whole milliseconds of the years 0 to 9999, unlike ",
          instant);
    }

    public static boolean isInRange(long epochMillis) {
      return epochMillis >= FIRST_MILLIS && epochMillis <= LAST_MILLIS;
    }

    public long epochMillis() {
      return instant.toEpochMilli();
    }
  }

  /** Replicas do not agree upon time: only rules without time apply. */
  record Off() implements AgreedTime {}
}
