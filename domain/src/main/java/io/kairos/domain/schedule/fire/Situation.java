package io.kairos.domain.schedule.fire;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * All that a decision depends on.
 *
 * @param unfinished runs of the schedule that have not ended, whoever asked for them
 * @param lastRun how the last one that the schedule fired has ended; null when it has not, or when
 *     that is no longer known
 * @param now the store's clock
 */
public record Situation(
    Schedule schedule,
    Timetable timetable,
    int unfinished,
    @Nullable LastRun lastRun,
    Instant now) {
  DueTimes fireTimes() {
    return new DueTimes(timetable);
  }
}
