package io.kairos.simulator;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.fire.CalendarText;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Verdict;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.port.Agenda;
import io.kairos.engine.schedule.port.CalendarDeletion;
import io.kairos.engine.schedule.port.Change;
import io.kairos.engine.schedule.port.Creation;
import io.kairos.engine.schedule.port.Decider;
import io.kairos.engine.schedule.port.Deed;
import io.kairos.engine.schedule.port.Due;
import io.kairos.engine.schedule.port.Fired;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.ScheduleQuery;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.schedule.port.Standing;
import io.kairos.engine.schedule.port.StoredCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The schedules as one process sees them: every call takes virtual time and may fail. */
final class SimSchedules implements ScheduleStore {
  static final String FIRE = "fire";
  static final String FIRE_NAMED = "fireNamed";
  static final String CHANGE = "change";
  static final String PUT_CALENDAR = "putCalendar";

  private final ScheduleProcess process;
  private final ScheduleStore store;

  SimSchedules(ScheduleProcess process, ScheduleWorld world) {
    this.process = process;
    this.store = world.schedules();
  }

  /** The answer shows what the store's clock is. */
  private <T> T look(String name, Supplier<T> effect) {
    T result = other(name, effect);
    process.looks();
    return result;
  }

  /** No rule is about it. */
  private <T> T other(String name, Supplier<T> effect) {
    return process.call(new TaskCall(process, "schedules: " + name, name), effect);
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
      if (isDone[0]) {
        process.reached(RareState.DECIDED_AND_NOT_TOLD);
      }
      throw e;
    } finally {
      isOver[0] = true;
    }
  }

  @Override
  public Instant now() {
    return look("now", store::now);
  }

  @Override
  public Fired fire(NodeId node, int limit, Duration enqueueTimeout, Decider decider) {
    return decide(FIRE, () -> store.fire(node, limit, enqueueTimeout, here(decider)));
  }

  private Decider here(Decider decider) {
    return (due, now) ->
        decider.decide(due.stream().map(this::read).toList(), now).stream()
            .map(SimSchedules::stored)
            .toList();
  }

  @Override
  public Fired fireNamed(
      NodeId node,
      Collection<ScheduleName> names,
      Instant upTo,
      int limit,
      Duration enqueueTimeout,
      Decider decider) {
    Decider here = here(decider);
    Decider seen =
        (due, now) -> {
          try {
            return here.decide(due, now);
          } catch (StoreUnavailable e) {
            process.reached(RareState.AGREED_TIME_REFUSED);
            throw e;
          }
        };
    return decide(
        FIRE_NAMED, () -> store.fireNamed(node, names, upTo, limit, enqueueTimeout, seen));
  }

  @Override
  public List<Standing> standings(Collection<ScheduleName> names) {
    return other("standings", () -> store.standings(names));
  }

  /** As this process reads its zone. */
  private Due read(Due due) {
    return new Due(
        SimZone.read(due.schedule(), process.zoneRules()),
        due.calendars(),
        due.queue(),
        due.unfinished(),
        due.lastRun(),
        due.ofRequest());
  }

  private static Deed stored(Deed deed) {
    Verdict verdict = deed.verdict();
    return new Deed(
        new Verdict(verdict.entries(), verdict.cancelsOthers(), SimZone.stored(verdict.after())),
        deed.tasks(),
        deed.messages(),
        deed.timeZoneRules(),
        deed.remove());
  }

  @Override
  public Agenda agenda() {
    return look("agenda", store::agenda);
  }

  @Override
  public Creation create(Schedule schedule) {
    return other("create", () -> store.create(SimZone.stored(schedule)));
  }

  @Override
  public Optional<Fired> change(
      NodeId node, ScheduleName name, String request, Duration enqueueTimeout, Change change) {
    Change here = (due, now) -> change.decide(read(due), now).map(SimSchedules::stored);
    return decide(CHANGE, () -> store.change(node, name, request, enqueueTimeout, here));
  }

  @Override
  public void putOff(Schedule schedule, Duration delay) {
    other(
        "putOff",
        () -> {
          store.putOff(schedule, delay);
          return true;
        });
  }

  @Override
  public Optional<Schedule> find(ScheduleName name) {
    return other("find", () -> store.find(name));
  }

  @Override
  public boolean discard(ScheduleName name) {
    return other("discard", () -> store.discard(name));
  }

  @Override
  public List<Schedule> list(
      ScheduleQuery query, BiConsumer<ScheduleName, RuntimeException> unreadable) {
    return other("list", () -> store.list(query, unreadable));
  }

  @Override
  public List<LedgerEntry> fires(LedgerQuery query) {
    return other("fires", () -> store.fires(query));
  }

  @Override
  public int pruneLedger(Duration retention, int limit) {
    return other("pruneLedger", () -> store.pruneLedger(retention, limit));
  }

  @Override
  public Optional<StoredCalendar> putCalendar(
      CalendarName name, CalendarText text, @Nullable Long generation) {
    return other(PUT_CALENDAR, () -> store.putCalendar(name, text, generation));
  }

  @Override
  public List<StoredCalendar> calendars(Collection<CalendarName> names) {
    return other("calendars", () -> store.calendars(names));
  }

  @Override
  public List<StoredCalendar> listCalendars(@Nullable CalendarName after, int limit) {
    return other("listCalendars", () -> store.listCalendars(after, limit));
  }

  @Override
  public CalendarDeletion deleteCalendar(CalendarName name) {
    return other("deleteCalendar", () -> store.deleteCalendar(name));
  }

  @Override
  public boolean rezone(String timeZoneRules) {
    return other("rezone", () -> store.rezone(timeZoneRules));
  }
}
