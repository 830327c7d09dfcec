package io.kairos.model.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.limit.LimitRoom;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.SweptLimits;
import io.kairos.engine.task.port.operator.KeyLimitChange;
import io.kairos.engine.task.port.operator.KeyLimitOperations;
import io.kairos.engine.task.port.operator.KeyLimitUse;
import io.kairos.engine.task.port.operator.LimitNameUse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Limits by key of {@link ModelTaskStore}. Not thread-safe: its owner locks. */
final class ModelKeyLimits {
  /** The trigger of a task that sleeps in a line. */
  static final long NEVER = Long.MAX_VALUE;

  private static final int MOST_WOKEN = 100;
  private static final int NAMES_AT_ONCE = 50;

  private final TaskTable tasks;
  private final Predicate<TaskRow> isPaused;
  private final NavigableMap<LimitPattern, TaskQueueLimit> limits =
      new TreeMap<>(Comparator.comparing(LimitPattern::value));
  private final NavigableMap<LimitName, Use> uses = new TreeMap<>();
  private final Map<TaskId, Waiter> line = new HashMap<>();

  private static final class Use {
    int running;
    @Nullable Double tokens;
    long atMicros;

    double tokens(TaskQueueLimit limit, long nowMicros) {
      Double had = tokens;
      return had == null ? limit.size() : LimitRoom.tokens(limit, had, nowMicros - atMicros);
    }
  }

  /**
   * A task in a line.
   *
   * @param wokenAt when its turn is; null while it sleeps
   */
  private record Waiter(LimitName name, TaskId task, long dueMicros, @Nullable Long wokenAt) {
    /** True for a turn that is further ahead than turns are given: the clock was set back. */
    boolean isFarAhead(long nowMicros) {
      Long woken = wokenAt;
      return woken != null && woken > nowMicros + 2 * EpochMicros.lengthOf(LimitRoom.GRACE);
    }

    boolean isAwakeAt(long nowMicros) {
      Long woken = wokenAt;
      return woken != null && woken > nowMicros - EpochMicros.lengthOf(LimitRoom.GRACE);
    }
  }

  ModelKeyLimits(TaskTable tasks, Predicate<TaskRow> isPaused) {
    this.tasks = tasks;
    this.isPaused = isPaused;
  }

  private @Nullable TaskQueueLimit limit(LimitName name) {
    return LimitPattern.of(name, limits.keySet()).map(limits::get).orElse(null);
  }

  private Use use(LimitName name) {
    return uses.computeIfAbsent(name, _ -> new Use());
  }

  private LimitRoom room(LimitName name, long now) {
    TaskQueueLimit limit = limit(name);
    long asleep = count(name, waiter -> waiter.wokenAt() == null);
    if (limit == null) {
      return new LimitRoom(TaskQueueLimit.NONE, 0, 0, asleep, 0);
    }
    Use use = use(name);
    return new LimitRoom(
        limit,
        use.running,
        use.tokens(limit, now),
        asleep,
        count(name, waiter -> waiter.isAwakeAt(now)));
  }

  private long count(LimitName name, Predicate<Waiter> which) {
    return line.values().stream()
        .filter(waiter -> waiter.name().equals(name) && which.test(waiter))
        .count();
  }

  /** Decisions of one call on the claims of tasks, in the order in which they come. */
  final class Claims {
    private final long now;
    private final Map<LimitName, LimitRoom> rooms = new HashMap<>();
    private final NavigableSet<LimitName> givenUp = new TreeSet<>();

    private Claims(long now) {
      this.now = now;
    }

    /** Decides on an enqueued task, which stands in line when it may not begin. */
    boolean admit(TaskRow row) {
      List<LimitName> limited =
          row.limits().names().stream().filter(name -> limit(name) != null).toList();
      LimitName woke = turn(row);
      LimitName turn = woke != null && limited.contains(woke) ? woke : null;
      for (LimitName name : limited) {
        LimitRoom room = room(name);
        if (!room.admits(turn != null)) {
          putInLine(row, name, room.refuse(name.equals(turn)));
          if (turn != null && !turn.equals(name)) {
            room(turn).giveUp();
            givenUp.add(turn);
          }
          return false;
        }
      }
      limited.forEach(name -> room(name).take(name.equals(turn)));
      return true;
    }

    /**
     * Gives the turns that refused tasks had in other lines to the next, when those that were
     * admitted have begun.
     *
     * @return the queues of the woken tasks
     */
    Set<QueueId> wakeNext() {
      Set<QueueId> queues = new HashSet<>();
      givenUp.forEach(name -> wake(name, MOST_WOKEN, now, queues, Set.of()));
      return queues;
    }

    private LimitRoom room(LimitName name) {
      return rooms.computeIfAbsent(name, one -> ModelKeyLimits.this.room(one, now));
    }

    /** The limit of which the task has a turn; null for none. */
    private @Nullable LimitName turn(TaskRow row) {
      Waiter waiter = line.get(row.id());
      return waiter != null && waiter.wokenAt() != null ? waiter.name() : null;
    }

    private void putInLine(TaskRow row, LimitName name, OptionalLong delay) {
      Long turn = delay.isPresent() ? (Long) (now + delay.getAsLong()) : null;
      tasks.change(row, one -> one.happens(TaskEvent.RELEASE, turn == null ? NEVER : turn));
      line.put(row.id(), new Waiter(name, row.id(), row.dueMicros, turn));
    }
  }

  Claims claims(long now) {
    return new Claims(now);
  }

  /** Counts a task that has begun. */
  void begun(TaskRow row, long now) {
    for (LimitName name : row.limits().names()) {
      TaskQueueLimit limit = limit(name);
      if (limit != null) {
        Use use = use(name);
        use.running++;
        if (limit.perSecond() != null) {
          use.tokens = use.tokens(limit, now) - 1;
          use.atMicros = Math.max(use.atMicros, now);
        }
      }
    }
    line.remove(row.id());
  }

  /**
   * Counts tasks whose attempts have ended, and wakes those that stand in line for their places.
   *
   * @return the queues of the woken tasks
   */
  Set<QueueId> ended(Collection<TaskRow> rows, long now) {
    NavigableSet<LimitName> freed = new TreeSet<>();
    for (TaskRow row : rows) {
      for (LimitName name : row.limits().names()) {
        if (limit(name) != null) {
          Use use = use(name);
          use.running = Math.max(0, use.running - 1);
          freed.add(name);
        }
      }
    }
    Set<QueueId> queues = new HashSet<>();
    freed.forEach(name -> wake(name, MOST_WOKEN, now, queues, Set.of()));
    return queues;
  }

  /**
   * Wakes tasks as far as there is room, and takes out of the line what is in the way.
   *
   * @param unserved queues whose tasks do not come when they are woken
   */
  private SweptLimits wake(
      LimitName name, int most, long now, Set<QueueId> queues, Set<QueueId> unserved) {
    if (room(name, now).toWake(most) == 0) {
      return SweptLimits.NONE;
    }
    int before = line.size();
    line.values()
        .removeIf(
            waiter -> waiter.name().equals(name) && waiter.wokenAt() == null && !isAsleep(waiter));
    List<TaskRow> passedOver =
        line.values().stream()
            .filter(waiter -> waiter.name().equals(name) && waiter.wokenAt() == null)
            .map(waiter -> requireNonNull(tasks.live(waiter.task())))
            .filter(row -> isPaused.test(row) || unserved.contains(row.queue()))
            .toList();
    for (TaskRow row : passedOver) {
      tasks.change(row, one -> one.triggerMicros = one.dueMicros);
      line.remove(row.id());
    }
    int takenOut = before - line.size();
    LimitRoom room = room(name, now);
    List<Waiter> first =
        line.values().stream()
            .filter(waiter -> waiter.name().equals(name) && waiter.wokenAt() == null)
            .sorted(Comparator.comparingLong(Waiter::dueMicros).thenComparing(Waiter::task))
            .limit(room.toWake(most))
            .toList();
    for (int i = 0; i < first.size(); i++) {
      long delay = room.turnOfWoken(i);
      TaskRow row = requireNonNull(tasks.live(first.get(i).task()));
      tasks.change(row, one -> one.triggerMicros = delay == 0 ? one.dueMicros : now + delay);
      line.put(row.id(), new Waiter(name, row.id(), row.dueMicros, now + delay));
      queues.add(row.queue());
    }
    return new SweptLimits(null, first.size(), takenOut, Set.of(), Set.of(), null);
  }

  /** False for a row that the task has left behind. */
  private boolean isAsleep(Waiter waiter) {
    TaskRow row = tasks.live(waiter.task());
    return row != null && row.isWaiting() && row.triggerMicros == NEVER;
  }

  SweptLimits sweep(@Nullable LimitName after, Set<QueueId> known, int limit, long now) {
    List<LimitName> names =
        line.values().stream()
            .map(Waiter::name)
            .filter(name -> after == null || name.compareTo(after) > 0)
            .distinct()
            .sorted()
            .limit(Math.min(limit, NAMES_AT_ONCE))
            .toList();
    if (names.isEmpty()) {
      return SweptLimits.NONE;
    }
    List<Waiter> lost =
        line.values().stream()
            .filter(waiter -> names.contains(waiter.name()) && waiter.wokenAt() != null)
            .filter(waiter -> !waiter.isAwakeAt(now) || waiter.isFarAhead(now) || !mayCome(waiter))
            .limit(limit)
            .toList();
    Set<QueueId> unserved = new HashSet<>(known);
    for (Waiter waiter : lost) {
      TaskRow row = tasks.live(waiter.task());
      if (row != null
          && (row.state() == TaskState.ENQUEUED || (row.isWaiting() && row.triggerMicros <= now))
          && !waiter.isAwakeAt(now)) {
        unserved.add(row.queue());
      }
      line.remove(waiter.task());
    }
    Set<QueueId> queues = new HashSet<>();
    int woken = 0;
    int takenOut = lost.size();
    for (LimitName name : names) {
      SweptLimits some = wake(name, Math.max(1, limit / names.size()), now, queues, unserved);
      woken += some.woken();
      takenOut += some.takenOut();
    }
    return new SweptLimits(
        names.size() == Math.min(limit, NAMES_AT_ONCE) ? names.getLast() : null,
        woken,
        takenOut,
        queues,
        unserved,
        null);
  }

  /** False for a woken task that was paused, put off or has ended since. */
  private boolean mayCome(Waiter waiter) {
    TaskRow row = tasks.live(waiter.task());
    return row != null
        && (row.state() == TaskState.ENQUEUED
            || (row.isWaiting() && row.triggerMicros <= requireNonNull(waiter.wokenAt())))
        && !isPaused.test(row);
  }

  KeyLimitChange set(LimitPattern pattern, TaskQueueLimit limit) {
    if (!limits.containsKey(pattern) && limits.size() >= KeyLimitOperations.MOST_LIMITS) {
      return new KeyLimitChange.TooMany();
    }
    limits.put(pattern, limit);
    recount();
    return new KeyLimitChange.Done();
  }

  boolean remove(LimitPattern pattern) {
    boolean removed = limits.remove(pattern) != null;
    recount();
    return removed;
  }

  void recount() {
    uses.values().forEach(use -> use.running = 0);
    for (TaskRow row : tasks.held()) {
      if (row.state() == TaskState.PROCESSING) {
        row.limits().names().stream()
            .filter(name -> limit(name) != null)
            .forEach(name -> use(name).running++);
      }
    }
  }

  List<KeyLimitUse> all() {
    List<KeyLimitUse> all = new ArrayList<>();
    limits.forEach((pattern, limit) -> {
      List<LimitName> names = names(pattern);
      all.add(
          new KeyLimitUse(
              pattern,
              limit,
              names.stream().mapToLong(name -> use(name).running).sum(),
              names.stream().mapToLong(this::asleep).sum(),
              names.size()));
    });
    return all;
  }

  private List<LimitName> names(LimitPattern pattern) {
    return List.copyOf(uses.keySet()).stream()
        .filter(name -> LimitPattern.of(name, limits.keySet()).equals(Optional.of(pattern)))
        .toList();
  }

  private long asleep(LimitName name) {
    return count(name, waiter -> waiter.wokenAt() == null && isAsleep(waiter));
  }

  List<LimitNameUse> uses(LimitPattern pattern, @Nullable LimitName after, int limit, long now) {
    TaskQueueLimit set = limits.getOrDefault(pattern, TaskQueueLimit.NONE);
    return names(pattern).stream()
        .filter(name -> after == null || name.compareTo(after) > 0)
        .limit(limit)
        .map(name ->
            new LimitNameUse(
                name,
                use(name).running,
                asleep(name),
                set.perSecond() == null ? null : (Double) use(name).tokens(set, now)))
        .toList();
  }
}
