package io.kairos.engine.schedule;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarText;
import io.kairos.domain.schedule.calendar.UnknownCalendarException;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.DecisionInput;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.domain.schedule.fire.ScheduleDecision;
import io.kairos.domain.schedule.fire.ScheduleRevision;
import io.kairos.domain.schedule.fire.Timetable;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.schedule.ScheduleChanges.Choice;
import io.kairos.engine.schedule.port.CalendarDeletion;
import io.kairos.engine.schedule.port.CreationResult;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.NextDecision;
import io.kairos.engine.schedule.port.ScheduleFilter;
import io.kairos.engine.schedule.port.ScheduleListing;
import io.kairos.engine.schedule.port.StoredCalendar;
import io.kairos.engine.schedule.port.UnreadableSchedule;
import io.kairos.engine.task.TaskInlet;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The schedule part of a node: the steps that fire schedules, and the schedule calls of edges.
 * Production and the simulator assemble it from different ports. The creator drives each of the
 * {@linkplain #activities activities} on a thread of its own. Thread-safe.
 */
public final class ScheduleNode implements ScheduleEdge {
  private final SchedulePorts ports;
  private final TaskInlet inlet;
  private final Wakeup fire;
  private final ClockWatch clock;
  private final ScheduleChanges changes;
  private final ReplicatedFiring replicated;
  private final List<StepActivity> activities;

  /**
   * Creates a node part that does not run yet.
   *
   * @param inlet the inlet of the node's tasks
   */
  public ScheduleNode(ScheduleConfig config, SchedulePorts ports, TaskInlet inlet) {
    this.ports = ports;
    this.inlet = inlet;
    this.fire = ports.wakeups().create();
    this.clock = new ClockWatch(ports.monotonic(), ports.events());
    TimetableCache timetables = new TimetableCache();
    this.changes = new ScheduleChanges(ports, inlet, timetables, clock, fire);
    this.replicated = new ReplicatedFiring(ports, inlet, firing(config, timetables));
    this.activities =
        List.of(
            StepActivity.looking(
                "fire-schedules",
                new FireSchedulesStep(config, ports, inlet, firing(config, timetables), clock)
                    ::runOnce,
                fire),
            StepActivity.looking(
                "tend-schedules",
                new ScheduleUpkeepStep(config, ports)::runOnce,
                ports.wakeups().create()));
  }

  /**
   * Creates one object for each caller, so that a failing batch of one does not shrink the batches
   * of the other.
   */
  private ScheduleFiring firing(ScheduleConfig config, TimetableCache timetables) {
    return new ScheduleFiring(config, ports, inlet, timetables, new BatchSize(config.maxBatch()));
  }

  /** Every step with its wakeup; the caller drives each on a thread of its own. */
  public List<StepActivity> activities() {
    return activities;
  }

  @Override
  public Instant now() {
    return ports.schedules().now();
  }

  @Override
  public ScheduleResult create(ScheduleName name, ScheduleDefinition definition) {
    Instant now = clock.believed(now());
    Optional<Schedule> begun =
        ScheduleRevision.begin(
            ports.newId().get(), name, definition, timetable(name, definition, now), now);
    if (begun.isEmpty()) {
      return new ScheduleResult.NeverFires();
    }
    expect(definition);
    return switch (ports.schedules().create(begun.get())) {
      case CreationResult.Created _ -> done(begun.get());
      case CreationResult.NameTaken _ -> new ScheduleResult.NameTaken();
      case CreationResult.NoCalendar(CalendarName calendar) ->
          throw new UnknownCalendarException(calendar);
    };
  }

  /** Learns the target's queue, so that the first run can go into this node's memory. */
  private void expect(ScheduleDefinition definition) {
    if (definition.target() instanceof ScheduleTarget.Handler handler) {
      inlet.expect(handler.queue());
    }
    definition.steps().forEach(step -> inlet.expect(step.target().queue()));
  }

  private ScheduleResult done(Schedule schedule) {
    fire.signal();
    return new ScheduleResult.Done(schedule);
  }

  @Override
  public ScheduleResult update(
      ScheduleName name, @Nullable Long generation, ScheduleDefinition definition) {
    Map<CalendarName, WorkingCalendar> calendars = calendars(definition.rule().calendarNames());
    expect(definition);
    return changes.make(
        name,
        "",
        new ScheduleResult.Unknown(),
        (due, now) -> {
          Schedule schedule = due.schedule();
          if (generation != null && generation != schedule.generation()) {
            return Choice.nothing(new ScheduleResult.Changed(schedule.generation()));
          }
          Timetable timetable =
              new RuleTimetable(definition.timeRule(name, schedule.createdAt()), calendars);
          if (timetable.next(now).isEmpty()) {
            return Choice.nothing(new ScheduleResult.NeverFires());
          }
          ScheduleDecision verdict =
              ScheduleRevision.edit(changes.situation(due, now), definition, timetable);
          return changed(due, verdict, false);
        });
  }

  @Override
  public ScheduleResult pause(ScheduleName name, String note) {
    return change(name, due -> ScheduleRevision.pause(due, note), false);
  }

  @Override
  public ScheduleResult resume(ScheduleName name) {
    return change(name, ScheduleRevision::resume, false);
  }

  @Override
  public boolean delete(ScheduleName name) {
    try {
      return change(name, ScheduleRevision::end, true) instanceof ScheduleResult.Done;
    } catch (UnreadableSchedule e) {
      ports.events().failed(name, e);
      return ports.schedules().discard(name);
    }
  }

  private ScheduleResult change(
      ScheduleName name, Function<DecisionInput, ScheduleDecision> how, boolean remove) {
    return changes.make(
        name,
        "",
        new ScheduleResult.Unknown(),
        (due, now) -> changed(due, how.apply(changes.situation(due, now)), remove));
  }

  private static Choice<ScheduleResult> changed(
      DueSchedule due, ScheduleDecision verdict, boolean remove) {
    return new Choice<>(new ScheduleResult.Done(verdict.after()), verdict, policy(due), remove);
  }

  @Override
  public String newRequest() {
    return ports.newId().get().toString();
  }

  @Override
  public RunResult trigger(ScheduleName name, String request, @Nullable OverlapPolicy overlap) {
    return run(
        name,
        request,
        (due, now) -> {
          OverlapPolicy policy = overlap == null ? policy(due) : overlap;
          return decided(
              ScheduleRevision.trigger(changes.situation(due, now), request, policy), policy);
        });
  }

  @Override
  public RunResult backfill(
      ScheduleName name,
      Instant from,
      Instant to,
      String request,
      @Nullable OverlapPolicy overlap) {
    return run(
        name,
        request,
        (due, now) -> {
          OverlapPolicy policy = overlap == null ? forBackfill(policy(due)) : overlap;
          if (to.isAfter(now)) {
            return Choice.<RunResult>nothing(new RunResult.NotPassed());
          }
          Optional<ScheduleDecision> verdict =
              ScheduleRevision.backfill(changes.situation(due, now), from, to, request, policy);
          return verdict.isEmpty()
              ? Choice.<RunResult>nothing(
                  new RunResult.TooMany(
                      ScheduleRevision.mostInBackfill(due.schedule().definition(), policy)))
              : decided(verdict.get(), policy);
        });
  }

  private static OverlapPolicy policy(DueSchedule due) {
    return due.schedule().definition().policies().overlap();
  }

  /** A backfill must run all fire times of its range, so it allows all or buffers all. */
  private static OverlapPolicy forBackfill(OverlapPolicy policy) {
    return policy == OverlapPolicy.ALLOW_ALL ? policy : OverlapPolicy.BUFFER_ALL;
  }

  private static Choice<RunResult> decided(ScheduleDecision verdict, OverlapPolicy overlap) {
    return new Choice<>(new RunResult.Decided(verdict.entries(), false), verdict, overlap, false);
  }

  private RunResult run(
      ScheduleName name, String request, BiFunction<DueSchedule, Instant, Choice<RunResult>> how) {
    require(!request.isEmpty(), "a request needs an id, so that it runs once");
    return changes.make(
        name,
        request,
        new RunResult.Unknown(),
        (due, now) ->
            due.ofRequest().isEmpty()
                ? how.apply(due, now)
                : Choice.nothing(new RunResult.Decided(due.ofRequest(), true)));
  }

  @Override
  public List<NextDecision> decideDue(Collection<ScheduleName> names, Instant upTo) {
    return replicated.decideDue(names, upTo);
  }

  @Override
  public Optional<Schedule> find(ScheduleName name) {
    return ports.schedules().find(name);
  }

  @Override
  public ScheduleListing list(ScheduleFilter query) {
    return ports.schedules().list(query, ports.events()::failed);
  }

  @Override
  public Optional<ScheduleName> nameOf(ScheduleId id) {
    return ports.schedules().nameOf(id);
  }

  @Override
  public List<LedgerEntry> fires(LedgerQuery query) {
    return ports.schedules().fires(query);
  }

  @Override
  public Timetable timetable(ScheduleName name, ScheduleDefinition definition, Instant createdAt) {
    return new RuleTimetable(
        definition.timeRule(name, createdAt), calendars(definition.rule().calendarNames()));
  }

  @Override
  public Map<CalendarName, WorkingCalendar> calendars(Collection<CalendarName> names) {
    return names.isEmpty() ? Map.of() : TimetableCache.read(ports.schedules().calendars(names));
  }

  @Override
  public Optional<StoredCalendar> putCalendar(
      CalendarName name, WorkingCalendar calendar, @Nullable Long generation) {
    var _ = clock.believed(now());
    Optional<StoredCalendar> stored =
        ports.schedules().putCalendar(name, CalendarText.of(calendar), generation);
    fire.signal();
    return stored;
  }

  @Override
  public Optional<StoredCalendar> findCalendar(CalendarName name) {
    return ports.schedules().calendars(List.of(name)).stream().findFirst();
  }

  @Override
  public List<StoredCalendar> listCalendars(@Nullable CalendarName after, int limit) {
    return ports.schedules().listCalendars(after, limit);
  }

  @Override
  public CalendarDeletion deleteCalendar(CalendarName name) {
    return ports.schedules().deleteCalendar(name);
  }
}
