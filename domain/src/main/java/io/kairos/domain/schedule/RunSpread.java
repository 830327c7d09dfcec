package io.kairos.domain.schedule;

import static io.kairos.domain.check.ArgumentCheck.isWholeMillis;
import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.schedule.text.StableHash;
import java.time.Duration;
import java.time.Instant;

/**
 * The jitter of a schedule's runs, so that many schedules with one fire time do not start at once.
 * The jitter is not random: a schedule and a fire time give equal due times on every node. The fire
 * time stays as it is; a window wider than the time between two fires may change the order of their
 * runs.
 *
 * @param window whole milliseconds from 0 to a day; 0 for none
 */
public record RunSpread(Duration window) {
  private static final Duration WIDEST = Duration.ofDays(1);
  public static final RunSpread NONE = new RunSpread(Duration.ZERO);

  /** Throws {@link IllegalArgumentException} for a window out of range. */
  public RunSpread {
    require(
        isWholeMillis(window, Duration.ZERO, WIDEST),
        "a spread has whole milliseconds from 0 to 24 hours, not ",
        window);
  }

  /** Returns when the task of a fire time is due: within the window after it. */
  public Instant dueAt(String schedule, Instant fireTime) {
    if (window.isZero()) {
      return fireTime;
    }
    long hash = StableHash.with(StableHash.of(schedule), fireTime.getEpochSecond());
    return fireTime.plusMillis(Long.remainderUnsigned(hash, window.toMillis()));
  }
}
