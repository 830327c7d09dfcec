package io.kairos.engine.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.DecisionInput;
import io.kairos.domain.schedule.fire.ScheduleDecision;
import io.kairos.domain.schedule.fire.Timetable;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.FireReceipt;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.engine.task.TaskInlet;
import io.kairos.engine.task.edge.NotEnrolled;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Changes schedules one at a time. The change is computed within the store's transaction, which
 * also writes the decisions on fire times due by then. Works on the caller's thread; thread-safe.
 *
 * @param fire wakes the fire step after each change
 */
record ScheduleChanges(
    SchedulePorts ports,
    TaskInlet inlet,
    TimetableCache timetables,
    ClockWatch clock,
    Wakeup fire) {
  /**
   * A computed change.
   *
   * @param result the answer to the caller
   * @param verdict the decision to write; null for none
   * @param overlap the overlap policy of the decision
   * @param remove true to remove the schedule itself
   */
  record Choice<T>(
      T result, @Nullable ScheduleDecision verdict, OverlapPolicy overlap, boolean remove) {
    static <T> Choice<T> nothing(T result) {
      return new Choice<>(result, null, OverlapPolicy.ALLOW_ALL, false);
    }
  }

  /**
   * Makes a change.
   *
   * @param request the id of the request; empty for none
   * @param unknown the answer when there is no such schedule
   * @param how computes the change from the schedule and the store's time
   */
  <T> T make(
      ScheduleName name,
      String request,
      T unknown,
      BiFunction<DueSchedule, Instant, Choice<T>> how) {
    NodeId life = inlet.life().orElseThrow(NotEnrolled::new);
    Call<T> call = new Call<>(how);
    Optional<FireReceipt> fired =
        call.making.storing(() ->
            ports.schedules().change(life, name, request, inlet.enqueueTimeout(), call::decide));
    return fired.map(call::done).orElse(unknown);
  }

  /** One call of the store, which computes the change within its transaction. */
  private final class Call<T> {
    private final RunCreation making = new RunCreation(inlet, ports);
    private final BiFunction<DueSchedule, Instant, Choice<T>> how;
    private @Nullable T result;
    private Instant decidedAt = Instant.EPOCH;

    Call(BiFunction<DueSchedule, Instant, Choice<T>> how) {
      this.how = how;
    }

    Optional<ScheduleWrite> decide(DueSchedule due, Instant now) {
      Choice<T> choice = how.apply(due, clock.believed(now));
      result = choice.result();
      decidedAt = now;
      ScheduleDecision verdict = choice.verdict();
      return verdict == null
          ? Optional.empty()
          : Optional.of(making.write(due, verdict, choice.overlap(), now, choice.remove()));
    }

    T done(FireReceipt fired) {
      making.done(fired, decidedAt);
      ports.events().decided(fired.entries());
      fire.signal();
      return requireNonNull(result, "a change that was not decided");
    }
  }

  /** The input of a change's decision. */
  DecisionInput situation(DueSchedule due, Instant now) {
    return new DecisionInput(
        due.schedule(),
        timetableOf(due),
        due.unfinished(),
        due.unfinishedTasks(),
        due.lastRun(),
        now);
  }

  /**
   * The schedule's timetable, or an unknown one for a rule that cannot be read, so that the
   * schedule can still be changed or removed.
   */
  private Timetable timetableOf(DueSchedule due) {
    try {
      return timetables.of(due);
    } catch (RuntimeException e) {
      ports.events().failed(due.schedule().name(), e);
      return Timetable.UNKNOWN;
    }
  }
}
