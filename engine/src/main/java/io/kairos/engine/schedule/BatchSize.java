package io.kairos.engine.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many schedules are decided at once. A batch could not be written, and one of it may be why:
 * one by one it is found, as the first that is due or in a batch that grows again. A store that was
 * away for a moment makes nobody a culprit, one alone must fail twice. Thread-safe.
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
   * A batch could not be written.
   *
   * @param shown what was decided of it
   * @return the one because of which it is, when that is known now
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

  /** One that was found and is to be put off. */
  synchronized Optional<Schedule> culprit() {
    return Optional.ofNullable(culprit);
  }

  synchronized void culpritIsPutOff() {
    culprit = null;
  }
}
