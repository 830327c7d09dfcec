package io.kairos.domain.schedule.definition;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.time.Duration;

/**
 * The handling of fire times that were missed.
 *
 * @param window the age up to which missed fire times are made up for
 * @param max the most fire times that {@link Mode#ALL} makes up for, the latest ones
 */
public record CatchUpPolicy(Mode mode, Duration window, int max) {
  public static final int MOST = 1_000;
  public static final Duration LONGEST_WINDOW = Duration.ofDays(3_650);

  /** Makes up for the latest fire time of the last day. */
  public static final CatchUpPolicy DEFAULT =
      new CatchUpPolicy(Mode.LATEST, Duration.ofHours(24), 100);

  /** The fire times that are made up for. */
  public enum Mode {
    NONE,
    /** All missed fire times make one run. */
    LATEST,
    ALL
  }

  /** Throws {@link IllegalArgumentException} that names what is out of range. */
  public CatchUpPolicy {
    require(
        !window.isNegative() && window.compareTo(LONGEST_WINDOW) <= 0,
        "catch_up.window must be 0 to 3650 days");
    require(max >= 1 && max <= MOST, "catch_up.max must be 1 to 1,000");
  }
}
