package io.kairos.domain.schedule.fire;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * All that a decision depends on.
 *
 * @param timetable {@link Timetable#UNKNOWN} when somebody changes what cannot be read
 * @param unfinished runs of the schedule that have not ended, whoever asked for them
 * @param lastRun how the last one that the schedule fired has ended; null when it has not, or when
 *     that is no longer known
 * @param now the time by which it is decided: what the store's clock shows, or agreed time
 */
public record Situation(
    Schedule schedule,
    Timetable timetable,
    int unfinished,
    @Nullable LastRun lastRun,
    Instant now) {
  /** Whether its fire times are known. */
  boolean isReadable() {
    return !timetable.equals(Timetable.UNKNOWN);
  }

  DueTimes fireTimes() {
    return new DueTimes(timetable);
  }
}
