package io.kairos.domain.schedule.definition;

import io.kairos.domain.task.TaskId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a schedule.
 *
 * @param note the reason of a pause, for people; may be empty
 * @param since the time of the present status
 * @param decidedTo every fire time up to this time has been decided; it only grows
 * @param nextAt the time of the next decision, which for most rules is the next fire time; null
 *     when the schedule does not fire
 * @param runs the number of its own fire times that have fired, without triggers and backfills
 * @param lastRun the execution id of the last of them, or with pauseOnFailure of the one whose end
 *     is awaited; null before the first
 */
public record ScheduleProgress(
    FiringStatus status,
    String note,
    Instant since,
    Instant decidedTo,
    @Nullable Instant nextAt,
    long runs,
    @Nullable TaskId lastRun) {
  public ScheduleProgress at(Instant newDecidedTo, @Nullable Instant newNextAt) {
    return new ScheduleProgress(status, note, since, newDecidedTo, newNextAt, runs, lastRun);
  }

  /** Returns the progress of a schedule that has ended or is paused. */
  public ScheduleProgress still(FiringStatus newStatus, String newNote, Instant now) {
    return new ScheduleProgress(newStatus, newNote, now, decidedTo, null, runs, lastRun);
  }

  /** Returns the progress of a schedule that fires from that time on. */
  public ScheduleProgress active(Instant now, Instant from) {
    return new ScheduleProgress(FiringStatus.ACTIVE, "", now, from, from, runs, lastRun);
  }

  public ScheduleProgress ran(TaskId run) {
    return new ScheduleProgress(status, note, since, decidedTo, nextAt, runs + 1, run);
  }

  public ScheduleProgress withoutLastRun() {
    return new ScheduleProgress(status, note, since, decidedTo, nextAt, runs, null);
  }

  /** Returns the progress with another time of the next decision. */
  public ScheduleProgress lookedAt(@Nullable Instant newNextAt) {
    return at(decidedTo, newNextAt);
  }
}
