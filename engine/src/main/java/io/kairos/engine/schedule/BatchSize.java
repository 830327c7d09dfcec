package io.kairos.engine.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Number of schedules decided in one batch. When a batch could not be written, one of its schedules
 * may be the cause: batches of one find that schedule, and grow again after successes. A schedule
 * must fail alone twice to be put off, so that a short outage of the store blames none.
 * Thread-safe.
 */
final class BatchSize {
  private final int most;

  @GuardedBy("this")
  private int present;

  @GuardedBy("this")
  private @Nullable ScheduleId failedAlone;

  @GuardedBy("this")
  private @Nullable Schedule culprit;

  BatchSize(int most) {
    this.most = most;
    this.present = most;
  }

  synchronized int present() {
    return present;
  }

  synchronized void written() {
    present = Math.min(most, 2 * present);
    failedAlone = null;
  }

  /**
   * Notes that a batch could not be written.
   *
   * @param shown the schedules of the batch that were decided
   * @return the schedule that is the cause, if it is known now
   */
  synchronized Optional<Schedule> unwritten(List<Schedule> shown) {
    if (shown.isEmpty()) {
      return Optional.empty();
    }
    present = 1;
    Schedule first = shown.getFirst();
    boolean again = first.id().equals(failedAlone);
    failedAlone = shown.size() == 1 ? first.id() : null;
    if (!again || failedAlone == null) {
      return Optional.empty();
    }
    failedAlone = null;
    culprit = first;
    return Optional.of(first);
  }

  /** The schedule that was found to be the cause and must be put off. */
  synchronized Optional<Schedule> culprit() {
    return Optional.ofNullable(culprit);
  }

  synchronized void culpritIsPutOff() {
    culprit = null;
  }
}
