package io.kairos.testkit.schedule;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.fire.CalendarText;
import io.kairos.domain.schedule.fire.DecidedBy;
import io.kairos.domain.schedule.fire.LastRun;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Progress;
import io.kairos.domain.schedule.fire.Rule;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Status;
import io.kairos.domain.schedule.fire.Target;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.time.EpochMicros;
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
import io.kairos.engine.task.port.Arrival;
import io.kairos.engine.task.port.Receipt;
import io.kairos.testkit.task.ModelTaskStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The schedule store in memory, beside a model of the tasks that it makes. Passes the same contract
 * suite as Postgres. Thread-safe, one call at a time.
 */
public final class ModelScheduleStore implements ScheduleStore {
  private static final Comparator<LedgerEntry> LATEST_FIRST =
      Comparator.comparing(LedgerEntry::fireAt).thenComparing(LedgerEntry::request).reversed();

  private final InstantSource clock;
  private final ModelTaskStore tasks;
  private final Consumer<DelayedMessage> messages;
  private final ScheduleObserver observer;
  private final NavigableMap<ScheduleName, Schedule> schedules = new TreeMap<>();
  private final Map<Identity, LedgerEntry> ledger = new HashMap<>();
  private final NavigableMap<CalendarName, StoredCalendar> calendars = new TreeMap<>();
  private final Set<ScheduleId> putOff = new HashSet<>();
  private final Map<ScheduleId, String> decidedBy = new HashMap<>();

  /** Of one decision for ever. */
  private record Identity(ScheduleId schedule, Instant fireAt, String request) {}

  /**
   * @param clock the store's own clock
   * @param messages takes the messages that schedules make
   */
  public ModelScheduleStore(
      InstantSource clock, ModelTaskStore tasks, Consumer<DelayedMessage> messages) {
    this(clock, tasks, messages, ScheduleObserver.NONE);
  }

  /** The same, with somebody who sees every decision. */
  public ModelScheduleStore(
      InstantSource clock,
      ModelTaskStore tasks,
      Consumer<DelayedMessage> messages,
      ScheduleObserver observer) {
    this.clock = clock;
    this.tasks = tasks;
    this.messages = messages;
    this.observer = observer;
  }

  @Override
  public Instant now() {
    return EpochMicros.toInstant(EpochMicros.of(clock.instant()));
  }

  @Override
  public synchronized Fired fire(NodeId node, int limit, Duration enqueueTimeout, Decider decider) {
    return fire(node, ofNodes(), now(), limit, enqueueTimeout, decider);
  }

  private List<Schedule> ofNodes() {
    return schedules.values().stream().filter(one -> isDecidedBy(one, DecidedBy.NODE)).toList();
  }

  private static boolean isDecidedBy(Schedule schedule, DecidedBy decider) {
    return schedule.definition().policies().decider() == decider;
  }

  @Override
  public synchronized Fired fireNamed(
      NodeId node,
      Collection<ScheduleName> names,
      Instant upTo,
      int limit,
      Duration enqueueTimeout,
      Decider decider) {
    List<Schedule> replicated =
        named(names).filter(one -> isDecidedBy(one, DecidedBy.REPLICATED)).toList();
    return fire(node, replicated, upTo, limit, enqueueTimeout, decider);
  }

  private Stream<Schedule> named(Collection<ScheduleName> names) {
    return names.stream().distinct().flatMap(name -> Stream.ofNullable(schedules.get(name)));
  }

  private Fired fire(
      NodeId node,
      List<Schedule> among,
      Instant upTo,
      int limit,
      Duration enqueueTimeout,
      Decider decider) {
    List<Due> due =
        among.stream()
            .filter(schedule -> nextAt(schedule).filter(at -> !at.isAfter(upTo)).isPresent())
            .sorted(
                Comparator.comparing((Schedule schedule) -> nextAt(schedule).orElseThrow())
                    .thenComparing(schedule -> schedule.id().value()))
            .limit(limit)
            .map(schedule -> due(schedule, ""))
            .toList();
    return due.isEmpty() ? Fired.NOTHING : write(node, decider.decide(due, now()), enqueueTimeout);
  }

  @Override
  public synchronized List<Standing> standings(Collection<ScheduleName> names) {
    return named(names)
        .map(one ->
            new Standing(
                one.name(), one.definition().policies().decider(), one.progress().nextAt()))
        .toList();
  }

  private static Optional<Instant> nextAt(Schedule schedule) {
    return Optional.ofNullable(schedule.progress().nextAt());
  }

  private Due due(Schedule schedule, String request) {
    TaskId lastRun = schedule.progress().lastRun();
    LastRun ended = lastRun == null ? null : tasks.endOf(lastRun).orElse(null);
    return new Due(
        schedule,
        calendars(schedule.definition().rule().calendarNames()),
        queue(schedule),
        Math.min(Due.MOST_COUNTED, tasks.unfinishedOf(schedule.id()).size()),
        ended,
        request.isEmpty() ? List.of() : ofRequest(schedule.id(), request));
  }

  private @Nullable QueueId queue(Schedule schedule) {
    return schedule.definition().target() instanceof Target.Handler handler
        ? number(handler.queue())
        : null;
  }

  private QueueId number(QueueName name) {
    return Objects.requireNonNull(tasks.queues(List.of(name)).get(name));
  }

  private List<LedgerEntry> ofRequest(ScheduleId id, String request) {
    return ledger.entrySet().stream()
        .filter(one -> one.getKey().schedule.equals(id) && one.getKey().request.equals(request))
        .map(Map.Entry::getValue)
        .sorted(LATEST_FIRST.reversed())
        .toList();
  }

  private Fired write(NodeId node, List<Deed> deeds, Duration enqueueTimeout) {
    List<LedgerEntry> entries = new ArrayList<>();
    Map<ScheduleId, List<LedgerEntry>> fresh = new HashMap<>();
    Set<TaskId> runs = new HashSet<>();
    for (Deed deed : deeds) {
      ScheduleId id = deed.verdict().after().id();
      fresh.put(id, new ArrayList<>());
      for (LedgerEntry entry : deed.verdict().entries()) {
        Identity identity = new Identity(id, entry.fireAt(), entry.request());
        if (ledger.putIfAbsent(identity, entry) == null) {
          entries.add(entry);
          Objects.requireNonNull(fresh.get(id)).add(entry);
          TaskId run = entry.run();
          if (run != null) {
            runs.add(run);
          }
        }
      }
    }
    deeds.stream()
        .filter(deed -> deed.verdict().cancelsOthers())
        .forEach(deed -> tasks.unfinishedOf(deed.verdict().after().id()).forEach(tasks::cancel));
    Map<TaskId, Receipt> receipts = tasks.insertFired(node, made(deeds, runs), enqueueTimeout);
    deeds.forEach(deed ->
        deed.messages().stream()
            .filter(message ->
                runs.stream().anyMatch(run -> run.toString().equals(message.id().value())))
            .forEach(messages));
    for (Deed deed : deeds) {
      Schedule after = deed.verdict().after();
      Schedule before = Objects.requireNonNull(schedules.get(after.name()));
      String timeZoneRules = deed.timeZoneRules();
      if (timeZoneRules != null) {
        putOff.remove(after.id());
        decidedBy.put(after.id(), timeZoneRules);
      }
      if (deed.remove()) {
        schedules.remove(after.name());
      } else {
        schedules.put(after.name(), after);
      }
      observer.decided(before, after, Objects.requireNonNull(fresh.get(after.id())), now());
    }
    return new Fired(deeds.size(), entries, receipts);
  }

  private static List<List<Arrival>> made(List<Deed> deeds, Set<TaskId> runs) {
    return deeds.stream()
        .map(deed -> deed.tasks().stream().filter(task -> runs.contains(task.task().id())).toList())
        .toList();
  }

  @Override
  public synchronized Agenda agenda() {
    return new Agenda(
        now(),
        ofNodes().stream()
            .flatMap(schedule -> nextAt(schedule).stream())
            .min(Comparator.naturalOrder())
            .orElse(null));
  }

  @Override
  public synchronized Creation create(Schedule schedule) {
    for (CalendarName name : schedule.definition().rule().calendarNames()) {
      if (!calendars.containsKey(name)) {
        return new Creation.NoCalendar(name);
      }
    }
    if (schedules.putIfAbsent(schedule.name(), schedule) != null) {
      return new Creation.NameTaken();
    }
    observer.created(schedule);
    return new Creation.Created();
  }

  @Override
  public synchronized Optional<Fired> change(
      NodeId node, ScheduleName name, String request, Duration enqueueTimeout, Change change) {
    Schedule schedule = schedules.get(name);
    if (schedule == null) {
      return Optional.empty();
    }
    return Optional.of(
        change
            .decide(due(schedule, request), now())
            .map(deed -> write(node, List.of(deed), enqueueTimeout))
            .orElse(Fired.NOTHING));
  }

  @Override
  public synchronized boolean discard(ScheduleName name) {
    return schedules.remove(name) != null;
  }

  @Override
  public synchronized void putOff(Schedule schedule, Duration delay) {
    Schedule now = schedules.get(schedule.name());
    if (now != null
        && now.id().equals(schedule.id())
        && now.generation() == schedule.generation()
        && now.progress().decidedTo().equals(schedule.progress().decidedTo())
        && now.progress().nextAt() != null) {
      schedules.put(now.name(), now.with(now.progress().lookedAt(now().plus(delay))));
      putOff.add(now.id());
    }
  }

  @Override
  public synchronized Optional<Schedule> find(ScheduleName name) {
    return Optional.ofNullable(schedules.get(name));
  }

  @Override
  public synchronized List<Schedule> list(
      ScheduleQuery query, BiConsumer<ScheduleName, RuntimeException> unreadable) {
    ScheduleName after = query.after();
    return schedules.values().stream()
        .filter(one -> after == null || one.name().compareTo(after) > 0)
        .filter(one -> one.name().value().startsWith(query.prefix()))
        .filter(
            one -> query.statuses().isEmpty() || query.statuses().contains(one.progress().status()))
        .filter(one -> query.decider() == null || isDecidedBy(one, query.decider()))
        .limit(query.limit())
        .toList();
  }

  @Override
  public synchronized List<LedgerEntry> fires(LedgerQuery query) {
    return ledger.entrySet().stream()
        .filter(one -> one.getKey().schedule.equals(query.schedule()))
        .map(Map.Entry::getValue)
        .filter(one -> matches(query, one))
        .sorted(LATEST_FIRST)
        .limit(query.limit())
        .toList();
  }

  private static boolean matches(LedgerQuery query, LedgerEntry entry) {
    Instant from = query.from();
    Instant to = query.to();
    LedgerQuery.Place before = query.before();
    return (from == null || !entry.fireAt().isBefore(from))
        && (to == null || !entry.fireAt().isAfter(to))
        && (query.decisions().isEmpty() || query.decisions().contains(entry.decision()))
        && (query.reasons().isEmpty()
            || (entry.reason() != null && query.reasons().contains(entry.reason())))
        && (before == null
            || entry.fireAt().isBefore(before.fireAt())
            || (entry.fireAt().equals(before.fireAt())
                && entry.request().compareTo(before.request()) < 0));
  }

  @Override
  public synchronized int pruneLedger(Duration retention, int limit) {
    Instant before = now().minus(retention);
    List<Identity> old =
        ledger.entrySet().stream()
            .filter(one -> one.getValue().decidedAt().isBefore(before))
            .sorted(Comparator.comparing(one -> one.getValue().decidedAt()))
            .limit(limit)
            .map(Map.Entry::getKey)
            .toList();
    old.forEach(ledger::remove);
    return old.size();
  }

  @Override
  public synchronized Optional<StoredCalendar> putCalendar(
      CalendarName name, CalendarText text, @Nullable Long generation) {
    StoredCalendar former = calendars.get(name);
    long has = former == null ? 0 : former.generation();
    if (generation != null && generation != has) {
      return Optional.empty();
    }
    StoredCalendar stored = new StoredCalendar(name, text, has + 1);
    calendars.put(name, stored);
    wake(schedule ->
        schedule.definition().rule().calendarNames().contains(name)
            && (schedule.progress().status() == Status.ACTIVE || isEndedWithRunsLeft(schedule)));
    observer.stored(stored);
    return Optional.of(stored);
  }

  private static boolean isEndedWithRunsLeft(Schedule schedule) {
    Long most = schedule.definition().bounds().maxRuns();
    return schedule.progress().status() == Status.ENDED
        && (most == null || schedule.progress().runs() < most);
  }

  private void wake(Predicate<Schedule> which) {
    Instant now = now();
    for (Schedule before : schedules.values().stream().filter(which).toList()) {
      Schedule after = before.with(woken(before, now));
      schedules.put(before.name(), after);
      observer.woken(before, after, now);
    }
  }

  /** Looked at now; what has passed is as it was, but for what is due. */
  private Progress woken(Schedule schedule, Instant now) {
    Progress was = schedule.progress();
    Instant next = was.nextAt();
    Instant look = next != null && next.isBefore(now) ? next : now;
    Instant passed = next != null && !next.isAfter(now) ? next.minusNanos(1_000) : now;
    boolean isKnown =
        !putOff.contains(schedule.id())
            && schedule.definition().rule().kind() != Rule.Kind.DELAY
            && passed.isAfter(was.decidedTo());
    return new Progress(
        Status.ACTIVE,
        was.note(),
        was.status() == Status.ACTIVE ? was.since() : now,
        isKnown ? passed : was.decidedTo(),
        look,
        was.runs(),
        was.lastRun());
  }

  @Override
  public synchronized List<StoredCalendar> calendars(Collection<CalendarName> names) {
    return calendars.values().stream().filter(calendar -> names.contains(calendar.name())).toList();
  }

  @Override
  public synchronized List<StoredCalendar> listCalendars(@Nullable CalendarName after, int limit) {
    return (after == null ? calendars : calendars.tailMap(after, false))
        .values().stream().limit(limit).toList();
  }

  @Override
  public synchronized CalendarDeletion deleteCalendar(CalendarName name) {
    if (!calendars.containsKey(name)) {
      return CalendarDeletion.UNKNOWN;
    }
    if (schedules.values().stream()
        .anyMatch(one -> one.definition().rule().calendarNames().contains(name))) {
      return CalendarDeletion.IN_USE;
    }
    calendars.remove(name);
    return CalendarDeletion.DELETED;
  }

  @Override
  public synchronized boolean rezone(String timeZoneRules) {
    Predicate<Schedule> byOthers =
        schedule ->
            schedule.progress().status() == Status.ACTIVE
                && !timeZoneRules.equals(decidedBy.get(schedule.id()));
    boolean any = schedules.values().stream().anyMatch(byOthers);
    wake(byOthers);
    return any;
  }
}
