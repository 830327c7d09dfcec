package io.kairos.domain.cron.clock;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.time.Duration;

/**
 * Limits on the difference between clocks.
 *
 * @param soft a larger difference is worth a warning
 * @param hard a larger difference means that a clock is wrong
 * @param epsilon the rise of time at a tick without a greater reading; whole milliseconds
 */
public record ClockLimits(Duration soft, Duration hard, Duration epsilon) {
  public static final ClockLimits PUBLISHED =
      new ClockLimits(Duration.ofMillis(500), Duration.ofSeconds(3), Duration.ofMillis(1));

  /** Throws {@link IllegalArgumentException} that names what is wrong. */
  public ClockLimits {
    if (soft.isNegative() || hard.compareTo(soft) < 0) {
      throw new IllegalArgumentException(
          "the hard limit must not be below the soft one, nor that below 0: " + hard + ", " + soft);
    }
    require(
        epsilon.toMillis() >= 1 && epsilon.equals(Duration.ofMillis(epsilon.toMillis())),
        "epsilon has whole milliseconds from 1, or time would not rise: ",
        epsilon);
  }

  /** The distance of two clocks by the limits. */
  public enum Distance {
    WITHIN,
    BEYOND_SOFT,
    BEYOND_HARD
  }

  /** Compares two readings in milliseconds. A difference that equals a limit is within it. */
  public Distance between(long oneMillis, long otherMillis) {
    long apart = Math.absExact(Math.subtractExact(oneMillis, otherMillis));
    if (apart > hard.toMillis()) {
      return Distance.BEYOND_HARD;
    }
    return apart > soft.toMillis() ? Distance.BEYOND_SOFT : Distance.WITHIN;
  }
}
