package io.kairos.simulator.schedule;

import static io.kairos.simulator.kernel.RareState.AGREED_TIME_REFUSED;
import static io.kairos.simulator.kernel.RareState.DECIDED_AND_NOT_TOLD;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.ScheduleDecision;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.port.CreationResult;
import io.kairos.engine.schedule.port.DueDecider;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.FireReceipt;
import io.kairos.engine.schedule.port.NamedFiring;
import io.kairos.engine.schedule.port.ScheduleChange;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.model.task.TaskStoreCalls;
import io.kairos.simulator.task.TaskCall;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The schedules as one process sees them: every call takes virtual time and may fail. */
final class FaultyScheduleStore {
  static final String PUT_CALENDAR = "putCalendar";

  /** Their answers show what the store's clock is. */
  private static final Set<String> SHOWING_THE_CLOCK = Set.of("now", "agenda");

  private final ScheduleNodeRun process;
  private final ScheduleStore store;

  private FaultyScheduleStore(ScheduleNodeRun process, ScheduleStore store) {
    this.process = process;
    this.store = store;
  }

  static ScheduleStore of(ScheduleNodeRun process, ScheduleStore store) {
    FaultyScheduleStore seen = new FaultyScheduleStore(process, store);
    return TaskStoreCalls.overridden(
        ScheduleStore.class,
        TaskStoreCalls.through(
            ScheduleStore.class, (name, _, effect) -> seen.other(name, effect), store),
        seen);
  }

  /** No rule is about it. */
  private Object other(String name, Supplier<Object> effect) {
    Object answer = process.call(new TaskCall(process, "schedules: " + name, name), effect);
    if (SHOWING_THE_CLOCK.contains(name)) {
      process.looks();
    }
    return answer;
  }

  /**
   * Decides within the store's transaction, which ends with the connection: not after whoever asked
   * has given up.
   */
  private <T> T decide(String name, Supplier<T> effect) {
    boolean[] isOver = {false};
    boolean[] isDone = {false};
    try {
      return process.call(
          new TaskCall(process, name, name),
          () -> {
            if (isOver[0]) {
              throw new StoreUnavailable("its connection is gone");
            }
            T result = effect.get();
            isDone[0] = true;
            return result;
          });
    } catch (StoreUnavailable e) {
      process.reached(DECIDED_AND_NOT_TOLD, isDone[0]);
      throw e;
    } finally {
      isOver[0] = true;
    }
  }

  public FireReceipt fire(NodeId node, int limit, Duration enqueueTimeout, DueDecider decider) {
    return decide(TaskCall.FIRE, () -> store.fire(node, limit, enqueueTimeout, here(decider)));
  }

  private DueDecider here(DueDecider decider) {
    return (due, now) ->
        decider.decide(due.stream().map(this::read).toList(), now).stream()
            .map(FaultyScheduleStore::stored)
            .toList();
  }

  public FireReceipt fireNamed(
      NodeId node, NamedFiring which, Duration enqueueTimeout, DueDecider decider) {
    DueDecider here = here(decider);
    DueDecider seen =
        (due, now) -> {
          try {
            return here.decide(due, now);
          } catch (StoreUnavailable e) {
            process.reached(AGREED_TIME_REFUSED);
            throw e;
          }
        };
    return decide(TaskCall.FIRE_NAMED, () -> store.fireNamed(node, which, enqueueTimeout, seen));
  }

  /** Returns the schedule with the time zone as this process reads it. */
  private DueSchedule read(DueSchedule due) {
    return new DueSchedule(
        SimulatedZone.read(due.schedule(), process.zoneRules),
        due.calendars(),
        due.queue(),
        due.stepQueues(),
        due.unfinished(),
        due.lastRun(),
        due.ofRequest());
  }

  private static ScheduleWrite stored(ScheduleWrite deed) {
    ScheduleDecision verdict = deed.verdict();
    return new ScheduleWrite(
        new ScheduleDecision(
            verdict.entries(), verdict.cancelsOthers(), SimulatedZone.stored(verdict.after())),
        deed.tasks(),
        deed.edges(),
        deed.inTurn(),
        deed.messages(),
        deed.timeZoneRules(),
        deed.remove());
  }

  public CreationResult create(Schedule schedule) {
    return (CreationResult) other("create", () -> store.create(SimulatedZone.stored(schedule)));
  }

  public Optional<FireReceipt> change(
      NodeId node,
      ScheduleName name,
      String request,
      Duration enqueueTimeout,
      ScheduleChange change) {
    ScheduleChange here =
        (due, now) -> change.decide(read(due), now).map(FaultyScheduleStore::stored);
    return decide(TaskCall.CHANGE, () -> store.change(node, name, request, enqueueTimeout, here));
  }
}
