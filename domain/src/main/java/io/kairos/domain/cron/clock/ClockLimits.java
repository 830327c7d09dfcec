package io.kairos.domain.cron.clock;

import java.time.Duration;

/**
 * How far clocks may be apart (CC-44).
 *
 * @param soft beyond it a clock is worth a warning
 * @param hard beyond it a clock is wrong
 * @param epsilon by which time rises when no reading lets it; whole milliseconds
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
    if (epsilon.toMillis() < 1 || !epsilon.equals(Duration.ofMillis(epsilon.toMillis()))) {
      throw new IllegalArgumentException(
          "epsilon has whole milliseconds from 1, or time would not rise: " + epsilon);
    }
  }

  /** How two clocks compare. */
  public enum Distance {
    WITHIN,
    BEYOND_SOFT,
    BEYOND_HARD
  }

  /** Compares two readings in milliseconds; exactly at a limit is within it (CC-45). */
  public Distance between(long oneMillis, long otherMillis) {
    long apart = Math.absExact(Math.subtractExact(oneMillis, otherMillis));
    if (apart > hard.toMillis()) {
      return Distance.BEYOND_HARD;
    }
    return apart > soft.toMillis() ? Distance.BEYOND_SOFT : Distance.WITHIN;
  }
}
