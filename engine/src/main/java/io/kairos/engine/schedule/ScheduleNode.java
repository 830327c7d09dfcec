package io.kairos.engine.schedule;

import io.kairos.domain.schedule.calendar.BusinessCalendar;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.UnknownCalendarException;
import io.kairos.domain.schedule.fire.CalendarText;
import io.kairos.domain.schedule.fire.Changing;
import io.kairos.domain.schedule.fire.Definition;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.OverlapPolicy;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Situation;
import io.kairos.domain.schedule.fire.Target;
import io.kairos.domain.schedule.fire.Timetable;
import io.kairos.domain.schedule.fire.Verdict;
import io.kairos.engine.loop.Activity;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.schedule.ScheduleChanges.Choice;
import io.kairos.engine.schedule.port.CalendarDeletion;
import io.kairos.engine.schedule.port.Creation;
import io.kairos.engine.schedule.port.Due;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.ScheduleQuery;
import io.kairos.engine.schedule.port.Standing;
import io.kairos.engine.schedule.port.StoredCalendar;
import io.kairos.engine.schedule.port.UnreadableSchedule;
import io.kairos.engine.task.Inlet;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The schedules of a node: steps that fire what is due, and what edges do with schedules. Assembled
 * from ports, the same for production and simulator. Whoever makes it drives the {@linkplain
 * #activities activities}, each on a thread of its own.
 */
public final class ScheduleNode implements ScheduleEdge {
  private final SchedulePorts ports;
  private final Inlet inlet;
  private final Wakeup fire;
  private final ClockWatch clock;
  private final ScheduleChanges changes;
  private final ReplicatedFiring replicated;
  private final List<Activity> activities;

  /**
   * Nothing runs yet.
   *
   * @param inlet of the node's tasks
   */
  public ScheduleNode(ScheduleConfig config, SchedulePorts ports, Inlet inlet) {
    this.ports = ports;
    this.inlet = inlet;
    this.fire = ports.wakeups().create();
    this.clock = new ClockWatch(ports.monotonic(), ports.events());
    Timetables timetables = new Timetables();
    this.changes = new ScheduleChanges(ports, inlet, timetables, clock, fire);
    this.replicated = new ReplicatedFiring(ports, inlet, firing(config, timetables));
    this.activities =
        List.of(
            Activity.looking(
                new FireSchedulesStep(config, ports, inlet, firing(config, timetables), clock),
                fire),
            Activity.looking(new TendSchedulesStep(config, ports), ports.wakeups().create()));
  }

  /** To each its own, so that what is in the way of the one is not in that of the other. */
  private Firing firing(ScheduleConfig config, Timetables timetables) {
    return new Firing(config, ports, inlet, timetables);
  }

  /** Every step with its wakeup, to be driven one thread each. */
  public List<Activity> activities() {
    return activities;
  }

  @Override
  public Instant now() {
    return ports.schedules().now();
  }

  @Override
  public ScheduleResult create(ScheduleName name, Definition definition) {
    Instant now = clock.believed(now());
    Optional<Schedule> begun =
        Changing.begin(
            ports.newId().get(), name, definition, timetable(name, definition, now), now);
    if (begun.isEmpty()) {
      return new ScheduleResult.NeverFires();
    }
    expect(definition);
    return switch (ports.schedules().create(begun.get())) {
      case Creation.Created _ -> done(begun.get());
      case Creation.NameTaken _ -> new ScheduleResult.NameTaken();
      case Creation.NoCalendar(CalendarName calendar) ->
          throw new UnknownCalendarException(calendar);
    };
  }

  /** So that its first run finds the queue in this node's memory. */
  private void expect(Definition definition) {
    if (definition.target() instanceof Target.Handler handler) {
      inlet.expect(handler.queue());
    }
  }

  private ScheduleResult done(Schedule schedule) {
    fire.signal();
    return new ScheduleResult.Done(schedule);
  }

  @Override
  public ScheduleResult update(
      ScheduleName name, @Nullable Long generation, Definition definition) {
    Map<CalendarName, BusinessCalendar> calendars = calendars(definition.rule().calendarNames());
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
          Verdict verdict = Changing.edit(changes.situation(due, now), definition, timetable);
          return changed(due, verdict, false);
        });
  }

  @Override
  public ScheduleResult pause(ScheduleName name, String note) {
    return change(name, due -> Changing.pause(due, note), false);
  }

  @Override
  public ScheduleResult resume(ScheduleName name) {
    return change(name, Changing::resume, false);
  }

  @Override
  public boolean delete(ScheduleName name) {
    try {
      return change(name, Changing::end, true) instanceof ScheduleResult.Done;
    } catch (UnreadableSchedule e) {
      ports.events().failed(name, e);
      return ports.schedules().discard(name);
    }
  }

  private ScheduleResult change(
      ScheduleName name, Function<Situation, Verdict> how, boolean remove) {
    return changes.make(
        name,
        "",
        new ScheduleResult.Unknown(),
        (due, now) -> changed(due, how.apply(changes.situation(due, now)), remove));
  }

  private static Choice<ScheduleResult> changed(Due due, Verdict verdict, boolean remove) {
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
          return decided(Changing.trigger(changes.situation(due, now), request, policy), policy);
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
          Optional<Verdict> verdict =
              Changing.backfill(changes.situation(due, now), from, to, request, policy);
          return verdict.isEmpty()
              ? Choice.<RunResult>nothing(
                  new RunResult.TooMany(Changing.mostInBackfill(due.schedule().definition())))
              : decided(verdict.get(), policy);
        });
  }

  private static OverlapPolicy policy(Due due) {
    return due.schedule().definition().policies().overlap();
  }

  /** Whoever asks for the runs of a range wants all of them. */
  private static OverlapPolicy forBackfill(OverlapPolicy policy) {
    return policy == OverlapPolicy.ALLOW_ALL ? policy : OverlapPolicy.BUFFER_ALL;
  }

  private static Choice<RunResult> decided(Verdict verdict, OverlapPolicy overlap) {
    return new Choice<>(new RunResult.Decided(verdict.entries(), false), verdict, overlap, false);
  }

  private RunResult run(
      ScheduleName name, String request, BiFunction<Due, Instant, Choice<RunResult>> how) {
    if (request.isEmpty()) {
      throw new IllegalArgumentException("a request needs an id, so that it runs once");
    }
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
  public List<Standing> decideDue(Collection<ScheduleName> names, Instant upTo) {
    return replicated.decideDue(names, upTo);
  }

  @Override
  public Optional<Schedule> find(ScheduleName name) {
    return ports.schedules().find(name);
  }

  @Override
  public List<Schedule> list(ScheduleQuery query) {
    return ports.schedules().list(query, ports.events()::failed);
  }

  @Override
  public List<LedgerEntry> fires(LedgerQuery query) {
    return ports.schedules().fires(query);
  }

  @Override
  public Timetable timetable(ScheduleName name, Definition definition, Instant createdAt) {
    return new RuleTimetable(
        definition.timeRule(name, createdAt), calendars(definition.rule().calendarNames()));
  }

  @Override
  public Map<CalendarName, BusinessCalendar> calendars(Collection<CalendarName> names) {
    return names.isEmpty() ? Map.of() : Timetables.read(ports.schedules().calendars(names));
  }

  @Override
  public Optional<Calendar> putCalendar(
      CalendarName name, BusinessCalendar calendar, @Nullable Long generation) {
    var _ = clock.believed(now());
    Optional<StoredCalendar> stored =
        ports.schedules().putCalendar(name, CalendarText.of(calendar), generation);
    fire.signal();
    return stored.map(ScheduleNode::calendar);
  }

  private static Calendar calendar(StoredCalendar stored) {
    return new Calendar(stored.name(), stored.text().read(), stored.generation());
  }

  @Override
  public Optional<Calendar> findCalendar(CalendarName name) {
    return ports.schedules().calendars(List.of(name)).stream()
        .map(ScheduleNode::calendar)
        .findFirst();
  }

  @Override
  public List<Calendar> listCalendars(@Nullable CalendarName after, int limit) {
    return ports.schedules().listCalendars(after, limit).stream()
        .map(ScheduleNode::calendar)
        .toList();
  }

  @Override
  public CalendarDeletion deleteCalendar(CalendarName name) {
    return ports.schedules().deleteCalendar(name);
  }
}
