package io.kairos.model.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarText;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleProgress;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.ExecutionIds;
import io.kairos.domain.schedule.fire.LastRun;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.RunTurns;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.port.CalendarDeletion;
import io.kairos.engine.schedule.port.CreationResult;
import io.kairos.engine.schedule.port.DueDecider;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.FireReceipt;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.NamedFiring;
import io.kairos.engine.schedule.port.NextDecision;
import io.kairos.engine.schedule.port.NextTrigger;
import io.kairos.engine.schedule.port.ScheduleChange;
import io.kairos.engine.schedule.port.ScheduleFilter;
import io.kairos.engine.schedule.port.ScheduleListing;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.engine.schedule.port.StoredCalendar;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.model.task.ModelTaskStore;
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
import java.util.concurrent.ConcurrentHashMap;
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
  private final ScheduleStoreObserver observer;

  @GuardedBy("this")
  private final NavigableMap<ScheduleName, Schedule> schedules = new TreeMap<>();

  @GuardedBy("this")
  private final Map<Identity, LedgerEntry> ledger = new HashMap<>();

  @GuardedBy("this")
  private final NavigableMap<CalendarName, StoredCalendar> calendars = new TreeMap<>();

  @GuardedBy("this")
  private final Set<ScheduleId> putOff = new HashSet<>();

  @GuardedBy("this")
  private final Map<ScheduleId, String> decidedBy = new HashMap<>();

  /** The last runs of several tasks of schedules, for which single tasks wait by edges too. */
  @GuardedBy("this")
  private final Map<ScheduleId, TaskId> turns = new HashMap<>();

  /** Read by the store of tasks too, without the lock. */
  private final Map<ScheduleId, ScheduleName> names = new ConcurrentHashMap<>();

  /** Unique key of a decision, for ever. */
  private record Identity(ScheduleId schedule, Instant fireAt, String request) {}

  /**
   * @param clock the store's own clock
   * @param messages takes the messages that schedules make
   */
  public ModelScheduleStore(
      InstantSource clock, ModelTaskStore tasks, Consumer<DelayedMessage> messages) {
    this(clock, tasks, messages, ScheduleStoreObserver.NONE);
  }

  /** Creates a store whose observer sees every decision. */
  public ModelScheduleStore(
      InstantSource clock,
      ModelTaskStore tasks,
      Consumer<DelayedMessage> messages,
      ScheduleStoreObserver observer) {
    this.clock = clock;
    this.tasks = tasks;
    this.messages = messages;
    this.observer = observer;
    tasks.namesOfSchedules(names::get);
  }

  @Override
  public Instant now() {
    return EpochMicros.toInstant(EpochMicros.of(clock.instant()));
  }

  @Override
  public synchronized FireReceipt fire(
      NodeId node, int limit, Duration enqueueTimeout, DueDecider decider) {
    return fire(node, ofNodes(), now(), limit, enqueueTimeout, decider);
  }

  @GuardedBy("this")
  private List<Schedule> ofNodes() {
    return schedules.values().stream()
        .filter(one -> isDecidedBy(one, ScheduleDecider.NODE))
        .toList();
  }

  private static boolean isDecidedBy(Schedule schedule, ScheduleDecider decider) {
    return schedule.definition().policies().decider() == decider;
  }

  @Override
  public synchronized FireReceipt fireNamed(
      NodeId node, NamedFiring which, Duration enqueueTimeout, DueDecider decider) {
    List<Schedule> replicated =
        named(which.names()).filter(one -> isDecidedBy(one, ScheduleDecider.REPLICATED)).toList();
    return fire(node, replicated, which.upTo(), which.limit(), enqueueTimeout, decider);
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @GuardedBy("this")
  private Stream<Schedule> named(Collection<ScheduleName> names) {
    return names.stream().distinct().flatMap(name -> Stream.ofNullable(schedules.get(name)));
  }

  @GuardedBy("this")
  private FireReceipt fire(
      NodeId node,
      List<Schedule> among,
      Instant upTo,
      int limit,
      Duration enqueueTimeout,
      DueDecider decider) {
    List<DueSchedule> due =
        among.stream()
            .filter(schedule -> nextAt(schedule).filter(at -> !at.isAfter(upTo)).isPresent())
            .sorted(
                Comparator.comparing((Schedule schedule) -> nextAt(schedule).orElseThrow())
                    .thenComparing(schedule -> schedule.id().value()))
            .limit(limit)
            .map(schedule -> due(schedule, ""))
            .toList();
    return due.isEmpty()
        ? FireReceipt.NOTHING
        : write(node, decider.decide(due, now()), enqueueTimeout);
  }

  @Override
  public synchronized List<NextDecision> nextDecisions(Collection<ScheduleName> names) {
    return named(names)
        .map(one ->
            new NextDecision(
                one.name(), one.definition().policies().decider(), one.progress().nextAt()))
        .toList();
  }

  private static Optional<Instant> nextAt(Schedule schedule) {
    return Optional.ofNullable(schedule.progress().nextAt());
  }

  private DueSchedule due(Schedule schedule, String request) {
    TaskId lastRun = schedule.progress().lastRun();
    LastRun ended = lastRun == null ? null : tasks.endOf(lastRun).orElse(null);
    return new DueSchedule(
        schedule,
        calendars(schedule.definition().rule().calendarNames()),
        queue(schedule),
        schedule.definition().steps().stream().map(step -> number(step.target().queue())).toList(),
        unfinishedRuns(schedule),
        ended,
        request.isEmpty() ? List.of() : ofRequest(schedule.id(), request));
  }

  private int unfinishedRuns(Schedule schedule) {
    List<TaskId> unfinished = tasks.unfinishedOf(schedule.id());
    boolean isFull =
        schedule.definition().tasks() > 1 && unfinished.size() >= DueSchedule.MOST_TASKS_COUNTED;
    long runs = unfinished.stream().map(ExecutionIds::first).distinct().count();
    return isFull ? DueSchedule.MOST_COUNTED : (int) Math.min(DueSchedule.MOST_COUNTED, runs);
  }

  private @Nullable QueueId queue(Schedule schedule) {
    return schedule.definition().target() instanceof ScheduleTarget.Handler handler
        ? number(handler.queue())
        : null;
  }

  private QueueId number(QueueName name) {
    return Objects.requireNonNull(tasks.queues(List.of(name)).get(name));
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  private List<LedgerEntry> ofRequest(ScheduleId id, String request) {
    return ledger.entrySet().stream()
        .filter(one -> one.getKey().schedule.equals(id) && one.getKey().request.equals(request))
        .map(Map.Entry::getValue)
        .sorted(LATEST_FIRST.reversed())
        .toList();
  }

  @GuardedBy("this")
  private FireReceipt write(NodeId node, List<ScheduleWrite> deeds, Duration enqueueTimeout) {
    List<LedgerEntry> entries = new ArrayList<>();
    Map<ScheduleId, List<LedgerEntry>> fresh = new HashMap<>();
    Set<TaskId> runs = new HashSet<>();
    for (ScheduleWrite deed : deeds) {
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
    Map<TaskId, TaskReceipt> receipts = new HashMap<>();
    deeds.forEach(deed -> receipts.putAll(made(node, deed, runs, enqueueTimeout)));
    deeds.forEach(deed ->
        deed.messages().stream()
            .filter(message ->
                runs.stream().anyMatch(run -> run.toString().equals(message.id().value())))
            .forEach(messages));
    for (ScheduleWrite deed : deeds) {
      Schedule after = deed.verdict().after();
      Schedule before = Objects.requireNonNull(schedules.get(after.name()));
      String timeZoneRules = deed.timeZoneRules();
      if (timeZoneRules != null) {
        putOff.remove(after.id());
        decidedBy.put(after.id(), timeZoneRules);
      }
      if (deed.remove()) {
        schedules.remove(after.name());
        names.remove(after.id());
        turns.remove(after.id());
      } else {
        schedules.put(after.name(), after);
      }
      observer.decided(before, after, Objects.requireNonNull(fresh.get(after.id())), now());
    }
    return new FireReceipt(deeds.size(), entries, receipts);
  }

  @GuardedBy("this")
  private Map<TaskId, TaskReceipt> made(
      NodeId node, ScheduleWrite deed, Set<TaskId> runs, Duration enqueueTimeout) {
    List<ArrivingTask> made =
        deed.tasks().stream().filter(task -> isOf(runs, task.task().id())).toList();
    if (made.isEmpty()) {
      return Map.of();
    }
    List<GraphEdge> edges = new ArrayList<>();
    deed.edges().stream().filter(edge -> isOf(runs, edge.successor())).forEach(edges::add);
    if (deed.inTurn()) {
      edges.addAll(turns(deed, made.stream().map(one -> one.task().id()).toList()));
    }
    return tasks.insertFired(node, made, edges, enqueueTimeout);
  }

  /** The edges to new runs from those that they follow. */
  @GuardedBy("this")
  private List<GraphEdge> turns(ScheduleWrite deed, List<TaskId> made) {
    ScheduleId id = deed.verdict().after().id();
    TaskId turn = turns.get(id);
    List<TaskId> unfinished = tasks.unfinishedOf(id);
    if (!deed.edges().isEmpty()) {
      turns.put(id, RunTurns.last(made, turn));
      return RunTurns.edges(made, deed.edges(), unfinished);
    }
    if (turn == null) {
      return List.of();
    }
    TaskId last = ExecutionIds.last(turn);
    List<TaskId> before =
        unfinished.stream()
            .filter(task -> deed.verdict().cancelsOthers() || task.compareTo(last) <= 0)
            .toList();
    if (before.isEmpty()) {
      turns.remove(id);
      return List.of();
    }
    return RunTurns.edges(made, List.of(), before);
  }

  private static boolean isOf(Set<TaskId> runs, TaskId task) {
    return runs.contains(task) || runs.contains(ExecutionIds.first(task));
  }

  @Override
  public synchronized NextTrigger agenda() {
    return new NextTrigger(
        now(),
        ofNodes().stream()
            .flatMap(schedule -> nextAt(schedule).stream())
            .min(Comparator.naturalOrder())
            .orElse(null));
  }

  @Override
  public synchronized CreationResult create(Schedule schedule) {
    for (CalendarName name : schedule.definition().rule().calendarNames()) {
      if (!calendars.containsKey(name)) {
        return new CreationResult.NoCalendar(name);
      }
    }
    if (schedules.putIfAbsent(schedule.name(), schedule) != null) {
      return new CreationResult.NameTaken();
    }
    names.put(schedule.id(), schedule.name());
    observer.created(schedule);
    return new CreationResult.Created();
  }

  @Override
  public synchronized Optional<FireReceipt> change(
      NodeId node,
      ScheduleName name,
      String request,
      Duration enqueueTimeout,
      ScheduleChange change) {
    Schedule schedule = schedules.get(name);
    if (schedule == null) {
      return Optional.empty();
    }
    return Optional.of(
        change
            .decide(due(schedule, request), now())
            .map(deed -> write(node, List.of(deed), enqueueTimeout))
            .orElse(FireReceipt.NOTHING));
  }

  @Override
  public synchronized boolean discard(ScheduleName name) {
    Schedule former = schedules.remove(name);
    if (former != null) {
      names.remove(former.id());
    }
    return former != null;
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
  public synchronized ScheduleListing list(
      ScheduleFilter query, BiConsumer<ScheduleName, RuntimeException> unreadable) {
    ScheduleName after = query.after();
    List<Schedule> found =
        schedules.values().stream()
            .filter(one -> after == null || one.name().compareTo(after) > 0)
            .filter(one -> one.name().value().startsWith(query.prefix()))
            .filter(one -> query.matches(one.name()))
            .filter(one ->
                query.statuses().isEmpty() || query.statuses().contains(one.progress().status()))
            .filter(one -> query.decider() == null || isDecidedBy(one, query.decider()))
            .limit(query.limit())
            .map(Schedule::withoutPayload)
            .toList();
    return new ScheduleListing(found, null);
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
    LedgerQuery.PageStart before = query.before();
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
            && (schedule.progress().status() == FiringStatus.ACTIVE
                || isEndedWithRunsLeft(schedule)));
    observer.stored(stored);
    return Optional.of(stored);
  }

  private static boolean isEndedWithRunsLeft(Schedule schedule) {
    Long most = schedule.definition().bounds().maxRuns();
    return schedule.progress().status() == FiringStatus.ENDED
        && (most == null || schedule.progress().runs() < most);
  }

  @GuardedBy("this")
  private void wake(Predicate<Schedule> which) {
    Instant now = now();
    for (Schedule before : schedules.values().stream().filter(which).toList()) {
      Schedule after = before.with(woken(before, now));
      schedules.put(before.name(), after);
      observer.woken(before, after, now);
    }
  }

  /** Progress of a schedule that is to be looked at now, or at its next time if that is earlier. */
  @GuardedBy("this")
  private ScheduleProgress woken(Schedule schedule, Instant now) {
    ScheduleProgress was = schedule.progress();
    Instant next = was.nextAt();
    Instant look = next != null && next.isBefore(now) ? next : now;
    Instant passed = next != null && !next.isAfter(now) ? next.minusNanos(1_000) : now;
    boolean isKnown =
        !putOff.contains(schedule.id())
            && schedule.definition().rule().kind() != ScheduleRule.Kind.DELAY
            && passed.isAfter(was.decidedTo());
    return new ScheduleProgress(
        FiringStatus.ACTIVE,
        was.note(),
        was.status() == FiringStatus.ACTIVE ? was.since() : now,
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

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @Override
  public synchronized boolean rezone(String timeZoneRules) {
    Predicate<Schedule> byOthers =
        schedule ->
            schedule.progress().status() == FiringStatus.ACTIVE
                && !timeZoneRules.equals(decidedBy.get(schedule.id()));
    boolean any = schedules.values().stream().anyMatch(byOthers);
    wake(byOthers);
    return any;
  }
}
