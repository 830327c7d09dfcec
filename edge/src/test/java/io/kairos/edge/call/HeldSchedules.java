package io.kairos.edge.call;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarText;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleProgress;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.fire.ExecutionIds;
import io.kairos.domain.schedule.fire.FireCause;
import io.kairos.domain.schedule.fire.FireDecision;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.domain.schedule.fire.Timetable;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.RunResult;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.schedule.ScheduleResult;
import io.kairos.engine.schedule.port.CalendarDeletion;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.NextDecision;
import io.kairos.engine.schedule.port.ScheduleFilter;
import io.kairos.engine.schedule.port.ScheduleListing;
import io.kairos.engine.schedule.port.StoredCalendar;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Holds schedules and decisions, and decides nothing. */
final class HeldSchedules implements ScheduleEdge {
  @GuardedBy("this")
  private final Map<ScheduleName, Schedule> schedules = new TreeMap<>();

  @GuardedBy("this")
  private final Map<CalendarName, StoredCalendar> calendars = new TreeMap<>();

  final Map<ScheduleId, List<LedgerEntry>> ledger = new HashMap<>();

  @Nullable OverlapPolicy backfilledWith;
  @Nullable Instant decidedTo;

  /** What happens between a read and the next change. */
  private Runnable meanwhile = () -> {};

  /** What happens while schedules are listed. */
  volatile Runnable whileListing = () -> {};

  final AtomicInteger listings = new AtomicInteger();

  /** Schedules that a list looks at. */
  volatile int mostLooked = Integer.MAX_VALUE;

  @GuardedBy("this")
  private int requests;

  @Override
  public Instant now() {
    return Edge.NOW;
  }

  @Override
  public synchronized ScheduleResult create(ScheduleName name, ScheduleDefinition definition) {
    if (schedules.containsKey(name)) {
      return new ScheduleResult.NameTaken();
    }
    Optional<Instant> next = timetable(name, definition, now()).next(now());
    if (next.isEmpty()) {
      return new ScheduleResult.NeverFires();
    }
    ScheduleProgress fresh =
        new ScheduleProgress(FiringStatus.ACTIVE, "", now(), now(), next.get(), 0, null);
    UUID uid = new UUID(7, schedules.size());
    return put(new Schedule(new ScheduleId(uid), name, definition, 1, now(), now(), fresh));
  }

  @GuardedBy("this")
  private ScheduleResult put(Schedule schedule) {
    schedules.put(schedule.name(), schedule);
    return new ScheduleResult.Done(schedule);
  }

  synchronized void beforeChange(Runnable change) {
    meanwhile = change;
  }

  private synchronized void runMeanwhile() {
    Runnable change = meanwhile;
    meanwhile = () -> {};
    change.run();
  }

  @Override
  public synchronized ScheduleResult update(
      ScheduleName name, @Nullable Long generation, ScheduleDefinition definition) {
    runMeanwhile();
    Schedule old = schedules.get(name);
    if (old == null) {
      return new ScheduleResult.Unknown();
    }
    if (generation != null && generation != old.generation()) {
      return new ScheduleResult.Changed(old.generation());
    }
    Instant next = timetable(name, definition, old.createdAt()).next(now()).orElse(null);
    return put(old.with(definition, now(), old.progress().lookedAt(next)));
  }

  /** As if it had been put off. */
  synchronized void lookAt(ScheduleName name, Instant at) {
    Schedule schedule = requireNonNull(schedules.get(name));
    put(schedule.with(schedule.progress().lookedAt(at)));
  }

  /** Gives a schedule a zone that there is no more. */
  synchronized void loseZone(ScheduleName name) {
    Schedule old = requireNonNull(schedules.get(name));
    ScheduleDefinition was = old.definition();
    ScheduleRule rule = was.rule();
    ScheduleRule lost =
        new ScheduleRule(
            rule.kind(),
            rule.text(),
            rule.dialect(),
            rule.days(),
            "Europe/Atlantis",
            rule.gap(),
            rule.repeated(),
            rule.calendars());
    put(
        old.with(
            new ScheduleDefinition(lost, was.bounds(), was.spread(), was.target(), was.policies()),
            now(),
            old.progress()));
  }

  @Override
  public ScheduleResult pause(ScheduleName name, String note) {
    return become(name, FiringStatus.PAUSED, note);
  }

  @Override
  public ScheduleResult resume(ScheduleName name) {
    return become(name, FiringStatus.ACTIVE, "");
  }

  private synchronized ScheduleResult become(ScheduleName name, FiringStatus status, String note) {
    Schedule old = schedules.get(name);
    if (old == null) {
      return new ScheduleResult.Unknown();
    }
    Instant next =
        status == FiringStatus.ACTIVE
            ? timetable(name, old.definition(), old.createdAt()).next(now()).orElse(null)
            : null;
    return put(old.with(new ScheduleProgress(status, note, now(), now(), next, 0, null)));
  }

  @Override
  public synchronized boolean delete(ScheduleName name) {
    return schedules.remove(name) != null;
  }

  @Override
  public synchronized String newRequest() {
    return "request " + ++requests;
  }

  @Override
  public synchronized RunResult trigger(
      ScheduleName name, String request, @Nullable OverlapPolicy overlap) {
    Schedule schedule = schedules.get(name);
    if (schedule == null) {
      return new RunResult.Unknown();
    }
    List<LedgerEntry> before =
        entries(schedule.id()).filter(one -> one.request().equals(request)).toList();
    if (!before.isEmpty()) {
      return new RunResult.Decided(before, true);
    }
    LedgerEntry entry = fired(schedule.id(), now(), request, FireCause.TRIGGER);
    note(schedule.name(), entry);
    return new RunResult.Decided(List.of(entry), false);
  }

  static LedgerEntry fired(ScheduleId id, Instant at, String request, FireCause cause) {
    return new LedgerEntry(
        at,
        request,
        at,
        1L,
        FireDecision.FIRED,
        null,
        cause,
        at,
        at,
        ExecutionIds.of(id, at, request));
  }

  /** Into the ledger. */
  synchronized void note(ScheduleName name, LedgerEntry entry) {
    ScheduleId id = requireNonNull(schedules.get(name)).id();
    ledger.computeIfAbsent(id, _ -> new ArrayList<>()).add(entry);
  }

  private Stream<LedgerEntry> entries(ScheduleId id) {
    return ledger.getOrDefault(id, List.of()).stream();
  }

  @Override
  public synchronized RunResult backfill(
      ScheduleName name,
      Instant from,
      Instant to,
      String request,
      @Nullable OverlapPolicy overlap) {
    backfilledWith = overlap;
    Schedule schedule = schedules.get(name);
    if (schedule == null) {
      return new RunResult.Unknown();
    }
    if (to.isAfter(now())) {
      return new RunResult.NotPassed();
    }
    return new RunResult.Decided(
        List.of(fired(schedule.id(), from, request, FireCause.BACKFILL)), false);
  }

  /** Decides nothing. */
  @Override
  public synchronized List<NextDecision> decideDue(Collection<ScheduleName> names, Instant upTo) {
    if (upTo.isAfter(now())) {
      throw new StoreUnavailable("ahead of its time");
    }
    decidedTo = upTo;
    return names.stream()
        .flatMap(name -> find(name).stream())
        .map(one ->
            new NextDecision(
                one.name(), one.definition().policies().decider(), one.progress().nextAt()))
        .toList();
  }

  @Override
  public synchronized Optional<Schedule> find(ScheduleName name) {
    return Optional.ofNullable(schedules.get(name));
  }

  @Override
  public ScheduleListing list(ScheduleFilter query) {
    whileListing.run();
    listings.incrementAndGet();
    List<Schedule> behind = behind(query);
    List<Schedule> looked = behind.subList(0, Math.min(mostLooked, behind.size()));
    List<Schedule> found = wanted(looked, query);
    boolean isWhole = looked.size() == behind.size() || found.size() == query.limit();
    return new ScheduleListing(
        found,
        isWhole ? null : new ScheduleListing.Place(looked.getLast().id(), looked.getLast().name()));
  }

  private synchronized List<Schedule> behind(ScheduleFilter query) {
    return schedules.values().stream()
        .filter(one -> one.name().value().startsWith(query.prefix()))
        .filter(one -> query.after() == null || one.name().compareTo(query.after()) > 0)
        .toList();
  }

  private static List<Schedule> wanted(List<Schedule> looked, ScheduleFilter query) {
    return looked.stream()
        .filter(one -> query.matches(one.name()))
        .filter(
            one -> query.statuses().isEmpty() || query.statuses().contains(one.progress().status()))
        .filter(one ->
            query.decider() == null || query.decider() == one.definition().policies().decider())
        .limit(query.limit())
        .map(Schedule::withoutPayload)
        .toList();
  }

  @Override
  public synchronized Optional<ScheduleName> nameOf(ScheduleId id) {
    return schedules.values().stream()
        .filter(one -> one.id().equals(id))
        .map(Schedule::name)
        .findFirst();
  }

  @Override
  public synchronized List<LedgerEntry> fires(LedgerQuery query) {
    return entries(query.schedule())
        .filter(one -> query.from() == null || !one.fireAt().isBefore(query.from()))
        .filter(one -> query.to() == null || !one.fireAt().isAfter(query.to()))
        .filter(one -> query.decisions().isEmpty() || query.decisions().contains(one.decision()))
        .filter(one ->
            query.reasons().isEmpty()
                || (one.reason() != null && query.reasons().contains(one.reason())))
        .filter(one -> query.before() == null || one.fireAt().isBefore(query.before().fireAt()))
        .sorted(Comparator.comparing(LedgerEntry::fireAt).reversed())
        .limit(query.limit())
        .toList();
  }

  @Override
  public Timetable timetable(ScheduleName name, ScheduleDefinition definition, Instant createdAt) {
    TimeRule rule = definition.timeRule(name, createdAt);
    return new RuleTimetable(rule, calendars(rule.terms().calendarNames()));
  }

  @Override
  public synchronized Map<CalendarName, WorkingCalendar> calendars(Collection<CalendarName> names) {
    Map<CalendarName, WorkingCalendar> found = new HashMap<>();
    for (CalendarName name : names) {
      StoredCalendar calendar = calendars.get(name);
      if (calendar != null) {
        found.put(name, calendar.calendar());
      }
    }
    return found;
  }

  @Override
  public synchronized Optional<StoredCalendar> putCalendar(
      CalendarName name, WorkingCalendar calendar, @Nullable Long generation) {
    runMeanwhile();
    StoredCalendar old = calendars.get(name);
    if (generation != null && (old == null || old.generation() != generation)) {
      return Optional.empty();
    }
    long next = old == null ? 1 : old.generation() + 1;
    StoredCalendar stored = new StoredCalendar(name, CalendarText.of(calendar), next);
    calendars.put(name, stored);
    return Optional.of(stored);
  }

  @Override
  public synchronized Optional<StoredCalendar> findCalendar(CalendarName name) {
    return Optional.ofNullable(calendars.get(name));
  }

  @Override
  public synchronized List<StoredCalendar> listCalendars(@Nullable CalendarName after, int limit) {
    return List.copyOf(calendars.values());
  }

  @Override
  public synchronized CalendarDeletion deleteCalendar(CalendarName name) {
    boolean used =
        schedules.values().stream()
            .flatMap(one -> one.definition().rule().calendars().stream())
            .anyMatch(use -> use.calendar().equals(name));
    if (used) {
      return CalendarDeletion.IN_USE;
    }
    return calendars.remove(name) == null ? CalendarDeletion.UNKNOWN : CalendarDeletion.DELETED;
  }
}
