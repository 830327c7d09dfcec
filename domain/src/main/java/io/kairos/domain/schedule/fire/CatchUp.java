package io.kairos.domain.schedule.fire;

import java.time.Duration;

/**
 * What happens to fire times that passed while nobody could fire.
 *
 * @param window only those that were missed not longer ago than this are made up for
 * @param max of {@link Mode#ALL} the latest so many
 */
public record CatchUp(Mode mode, Duration window, int max) {
  public static final int MOST = 1_000;
  public static final Duration LONGEST_WINDOW = Duration.ofDays(3_650);

  /** The latest of the last day. */
  public static final CatchUp DEFAULT = new CatchUp(Mode.LATEST, Duration.ofHours(24), 100);

  /** How much is made up for. */
  public enum Mode {
    NONE,
    /** Whatever was missed is one run. */
    LATEST,
    ALL
  }

  /** Throws {@link IllegalArgumentException} that names what is out of range. */
  public CatchUp {
    if (window.isNegative() || window.compareTo(LONGEST_WINDOW) > 0) {
      throw new IllegalArgumentException("catch_up.window must be 0 to 3650 days");
    }
    if (max < 1 || max > MOST) {
      throw new IllegalArgumentException("catch_up.max must be 1 to 1,000");
    }
  }
}
