package io.kairos.domain.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.text.StableHash;
import java.time.Duration;
import java.time.Instant;

/**
 * How far the runs of one schedule are scattered behind their fire times, so that many schedules of
 * the same time do not start at once. The scatter is no chance: the same schedule and fire time
 * give the same due time on every node. The fire time stays what it is; a window wider than the
 * time between two fires may change the order of their runs.
 *
 * @param window whole milliseconds from 0 to a day; 0 for none
 */
public record Spread(Duration window) {
  private static final Duration WIDEST = Duration.ofDays(1);
  public static final Spread NONE = new Spread(Duration.ZERO);

  /** Throws {@link IllegalArgumentException} for a window out of range. */
  public Spread {
    requireNonNull(window, "window");
    if (window.isNegative()
        || window.compareTo(WIDEST) > 0
        || !window.equals(Duration.ofMillis(window.toMillis()))) {
      throw new IllegalArgumentException(
          "a spread has whole milliseconds from 0 to 24 hours, not " + window);
    }
  }

  /** When the task of a fire time is due: within the window from it on. */
  public Instant dueAt(String schedule, Instant fireTime) {
    if (window.isZero()) {
      return fireTime;
    }
    long hash = StableHash.with(StableHash.of(schedule), fireTime.getEpochSecond());
    return fireTime.plusMillis(Long.remainderUnsigned(hash, window.toMillis()));
  }
}
