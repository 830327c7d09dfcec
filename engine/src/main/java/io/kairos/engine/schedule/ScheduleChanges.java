package io.kairos.engine.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.fire.OverlapPolicy;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Situation;
import io.kairos.domain.schedule.fire.Timetable;
import io.kairos.domain.schedule.fire.Verdict;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.schedule.port.Deed;
import io.kairos.engine.schedule.port.Due;
import io.kairos.engine.schedule.port.Fired;
import io.kairos.engine.task.Inlet;
import io.kairos.engine.task.NotEnrolled;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Changes schedules one at a time: has the change chosen within the store's transaction, which
 * writes it together with what was due by then. Thread-safe; on the caller's thread.
 */
final class ScheduleChanges {
  private final SchedulePorts ports;
  private final Inlet inlet;
  private final Timetables timetables;
  private final ClockWatch clock;
  private final Wakeup fire;

  /**
   * @param fire signalled after each change
   */
  ScheduleChanges(
      SchedulePorts ports, Inlet inlet, Timetables timetables, ClockWatch clock, Wakeup fire) {
    this.ports = ports;
    this.inlet = inlet;
    this.timetables = timetables;
    this.clock = clock;
    this.fire = fire;
  }

  /**
   * What a call came to.
   *
   * @param verdict to be written; null for nothing
   * @param overlap by which it was decided
   * @param remove the schedule itself is removed
   */
  record Choice<T>(T result, @Nullable Verdict verdict, OverlapPolicy overlap, boolean remove) {
    static <T> Choice<T> nothing(T result) {
      return new Choice<>(result, null, OverlapPolicy.ALLOW_ALL, false);
    }
  }

  /**
   * Makes a change.
   *
   * @param request the id of the request; empty for none
   * @param unknown the answer when there is no such schedule
   * @param how given the schedule and the store's clock
   */
  <T> T make(
      ScheduleName name, String request, T unknown, BiFunction<Due, Instant, Choice<T>> how) {
    NodeId life = inlet.life().orElseThrow(NotEnrolled::new);
    Call<T> call = new Call<>(how);
    Optional<Fired> fired =
        call.making.storing(() ->
            ports.schedules().change(life, name, request, inlet.enqueueTimeout(), call::decide));
    return fired.map(call::done).orElse(unknown);
  }

  /** One call of the store, which asks what to do within its transaction. */
  private final class Call<T> {
    private final Making making = new Making(inlet, ports.timeZoneRules());
    private final BiFunction<Due, Instant, Choice<T>> how;
    private @Nullable T result;
    private Instant decidedAt = Instant.EPOCH;

    Call(BiFunction<Due, Instant, Choice<T>> how) {
      this.how = how;
    }

    Optional<Deed> decide(Due due, Instant now) {
      Choice<T> choice = how.apply(due, clock.believed(now));
      result = choice.result();
      decidedAt = now;
      Verdict verdict = choice.verdict();
      return verdict == null
          ? Optional.empty()
          : Optional.of(making.deed(due, verdict, choice.overlap(), now, choice.remove()));
    }

    T done(Fired fired) {
      making.done(fired, decidedAt);
      ports.events().decided(fired.entries());
      fire.signal();
      return requireNonNull(result, "a change that was not decided");
    }
  }

  /** What a change depends on. */
  Situation situation(Due due, Instant now) {
    return new Situation(due.schedule(), timetableOf(due), due.unfinished(), due.lastRun(), now);
  }

  /** Whoever changes or removes a schedule that cannot be read any more must be able to. */
  private Timetable timetableOf(Due due) {
    try {
      return timetables.of(due);
    } catch (RuntimeException e) {
      ports.events().failed(due.schedule().name(), e);
      return Timetable.UNKNOWN;
    }
  }
}
