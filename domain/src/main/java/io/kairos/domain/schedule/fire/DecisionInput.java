package io.kairos.domain.schedule.fire;

import io.kairos.domain.schedule.definition.Schedule;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The input of a decision.
 *
 * @param timetable {@link Timetable#UNKNOWN} when a schedule is changed whose rule cannot be read
 * @param unfinished the number of runs that have not ended, also of triggers and backfills
 * @param awaited the number of unfinished tasks for which new runs in turn may wait by edges
 * @param lastRun the end of the last run that the schedule fired; null when it has not ended, or
 *     when its end is no longer known
 * @param now the time of the decision: the store's clock, or agreed time
 */
public record DecisionInput(
    Schedule schedule,
    Timetable timetable,
    int unfinished,
    int awaited,
    @Nullable LastRun lastRun,
    Instant now) {
  /** Makes the input for a schedule whose new runs wait for no tasks by edges. */
  public DecisionInput(
      Schedule schedule,
      Timetable timetable,
      int unfinished,
      @Nullable LastRun lastRun,
      Instant now) {
    this(schedule, timetable, unfinished, 0, lastRun, now);
  }

  /** Returns true if the fire times are known. */
  boolean isReadable() {
    return !timetable.equals(Timetable.UNKNOWN);
  }
}
