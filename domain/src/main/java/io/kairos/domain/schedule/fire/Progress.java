package io.kairos.domain.schedule.fire;

import io.kairos.domain.task.TaskId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a schedule has come.
 *
 * @param note why it is paused, for people; may be empty
 * @param since when it came to its status
 * @param decidedTo every fire time up to it has been decided; it only grows
 * @param nextAt when to look at it again, which for most rules is its next fire time; null when it
 *     does not fire
 * @param runs fire times that it has fired, not counting what people asked for
 * @param lastRun the execution id of the last of them, or with pauseOnFailure of the one whose end
 *     is waited for; null before the first
 */
public record Progress(
    Status status,
    String note,
    Instant since,
    Instant decidedTo,
    @Nullable Instant nextAt,
    long runs,
    @Nullable TaskId lastRun) {
  Progress at(Instant newDecidedTo, @Nullable Instant newNextAt) {
    return new Progress(status, note, since, newDecidedTo, newNextAt, runs, lastRun);
  }

  /** Not firing any more, or not for now. */
  Progress still(Status newStatus, String newNote, Instant now) {
    return new Progress(newStatus, newNote, now, decidedTo, null, runs, lastRun);
  }

  /** Firing from then on. */
  Progress active(Instant now, Instant from) {
    return new Progress(Status.ACTIVE, "", now, from, from, runs, lastRun);
  }

  Progress ran(TaskId run) {
    return new Progress(status, note, since, decidedTo, nextAt, runs + 1, run);
  }

  Progress withoutLastRun() {
    return new Progress(status, note, since, decidedTo, nextAt, runs, null);
  }

  /** Looked at again at another time. */
  public Progress lookedAt(@Nullable Instant newNextAt) {
    return at(decidedTo, newNextAt);
  }
}
