package io.kairos.engine.task;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.NoAnswerRoom;
import io.kairos.engine.task.edge.NodeStopping;
import io.kairos.engine.task.edge.TaskEdge.Waiting;
import io.kairos.engine.task.edge.TooManyAwaits;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The callers who wait for tasks to end. A task that has ended on this node, or that is awaited
 * anew, is looked up at once; all others once in an interval, because another node may have ended
 * them. One statement looks up as many as are known, at most 1,000 and some MiB of values and
 * failures. Bounded in waits, of one caller and together. Waits begin and end on any thread; one
 * loop runs the rounds.
 */
final class TaskAwaits {
  /** Most waits of a node. */
  static final int MOST = 10_000;

  /** Most waits of one caller, so that four of them leave room for others. */
  static final int MOST_OF_A_CALLER = 2_500;

  private static final int MOST_AT_ONCE = 1_000;
  private static final long MOST_BYTES = 4L << 20;
  private static final long BYTES_OF_A_FAILURE = 500;

  private final TaskStore tasks;
  private final MonotonicClock monotonic;
  private final Duration every;
  private final Wakeup wakeup;

  @GuardedBy("this")
  private final Map<TaskId, List<Wait>> waits = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Map<String, Integer> byCaller = new HashMap<>();

  @GuardedBy("this")
  private int count;

  /** Those to be looked up before all others. */
  @GuardedBy("this")
  private final Set<TaskId> first = new LinkedHashSet<>();

  /** Those to be looked up in this interval. */
  @GuardedBy("this")
  private final Set<TaskId> others = new LinkedHashSet<>();

  @GuardedBy("this")
  private long lookedAtNanos;

  @GuardedBy("this")
  private boolean closed;

  /** Read without the lock for each end of an attempt, of which nearly none is awaited. */
  private volatile boolean isAny;

  /** A caller that waits; no two are equal. */
  private static final class Wait {
    final TaskId id;
    final String caller;
    final AnswerCallback<Optional<TaskView>> answer;

    Wait(TaskId id, String caller, AnswerCallback<Optional<TaskView>> answer) {
      this.id = id;
      this.caller = caller;
      this.answer = answer;
    }
  }

  /**
   * @param every the interval in which each awaited task is looked up
   * @param wakeup the wakeup of this step's activity
   */
  TaskAwaits(TaskStore tasks, MonotonicClock monotonic, Duration every, Wakeup wakeup) {
    this.tasks = tasks;
    this.monotonic = monotonic;
    this.every = every;
    this.wakeup = wakeup;
    lookedAtNanos = monotonic.nanos();
  }

  /** See {@link io.kairos.engine.task.edge.TaskEdge#await}. */
  Waiting await(TaskId id, String caller, AnswerCallback<Optional<TaskView>> answer) {
    Wait wait = new Wait(id, caller, answer);
    synchronized (this) {
      if (closed) {
        throw new NodeStopping();
      }
      if (count == MOST) {
        throw new TooManyAwaits("this node has " + MOST + " calls that wait for tasks to end");
      }
      if (byCaller.getOrDefault(caller, 0) == MOST_OF_A_CALLER) {
        throw new TooManyAwaits(
            "one caller has at most " + MOST_OF_A_CALLER + " calls that wait for tasks to end");
      }
      count++;
      byCaller.merge(caller, 1, Integer::sum);
      waits.computeIfAbsent(id, _ -> new ArrayList<>(1)).add(wait);
      first.add(id);
      isAny = true;
    }
    wakeup.signal();
    return () -> {
      if (remove(wait)) {
        answer.answered(Optional.empty());
      }
    };
  }

  private synchronized boolean remove(Wait wait) {
    List<Wait> ofTask = waits.get(wait.id);
    if (ofTask == null || !ofTask.remove(wait)) {
      return false;
    }
    if (ofTask.isEmpty()) {
      waits.remove(wait.id);
      first.remove(wait.id);
      others.remove(wait.id);
    }
    gone(wait);
    return true;
  }

  @GuardedBy("this")
  private void gone(Wait wait) {
    count--;
    byCaller.computeIfPresent(wait.caller, (_, had) -> had == 1 ? null : had - 1);
    isAny = count > 0;
  }

  /** Looks up those of the tasks that are awaited; called when they may have ended on this node. */
  void mayHaveEnded(Collection<FencedTask> settled) {
    if (isAny) {
      boolean known = false;
      synchronized (this) {
        for (FencedTask task : settled) {
          known |= waits.containsKey(task.id()) && first.add(task.id());
        }
      }
      if (known) {
        wakeup.signal();
      }
    }
  }

  /** As {@link #mayHaveEnded(Collection)}, of one task. */
  void mayHaveEnded(TaskId id) {
    mayHaveEnded(List.of(new FencedTask(id, 0)));
  }

  NextRound runOnce() {
    Set<TaskId> asked = next();
    if (asked.isEmpty()) {
      return NextRound.after(untilNext());
    }
    List<TaskView> ended;
    try {
      ended = tasks.ended(asked, MOST_BYTES);
    } catch (RuntimeException e) {
      again(asked, Set.of());
      throw e;
    }
    int answered = 0;
    long bytes = 0;
    Set<TaskId> found = new HashSet<>();
    for (TaskView view : ended) {
      found.add(view.id());
      bytes += bytes(view);
      for (Wait wait : take(view.id())) {
        answer(wait, view);
        answered++;
      }
    }
    // counted otherwise than by the store: a letter may have several bytes there
    if (bytes >= MOST_BYTES / 8) {
      again(asked, found);
    }
    return NextRound.AT_ONCE.having(answered);
  }

  private static long bytes(TaskView view) {
    return view.progress().result().value().length
        + view.progress().failures().stream()
            .mapToLong(
                failure -> BYTES_OF_A_FAILURE + failure.error().length() + failure.stack().length())
            .sum();
  }

  private static void answer(Wait wait, TaskView view) {
    if (wait.answer.takeRoom(view.progress().result().value().length)) {
      wait.answer.answered(Optional.of(view));
    } else {
      wait.answer.failed(new NoAnswerRoom());
    }
  }

  private synchronized Set<TaskId> next() {
    if (monotonic.nanos() - lookedAtNanos >= every.toNanos()) {
      lookedAtNanos = monotonic.nanos();
      others.addAll(waits.keySet());
    }
    Set<TaskId> next = new LinkedHashSet<>();
    move(first, next);
    move(others, next);
    return next;
  }

  private static void move(Set<TaskId> from, Set<TaskId> to) {
    for (Iterator<TaskId> left = from.iterator(); left.hasNext() && to.size() < MOST_AT_ONCE; ) {
      TaskId id = left.next();
      left.remove();
      to.add(id);
    }
  }

  private synchronized Duration untilNext() {
    long left = every.toNanos() - (monotonic.nanos() - lookedAtNanos);
    return Duration.ofNanos(Math.max(left, 1));
  }

  private synchronized void again(Set<TaskId> asked, Set<TaskId> but) {
    for (TaskId id : asked) {
      if (!but.contains(id) && waits.containsKey(id)) {
        others.add(id);
      }
    }
  }

  private synchronized List<Wait> take(TaskId id) {
    List<Wait> taken = waits.remove(id);
    if (taken == null) {
      return List.of();
    }
    first.remove(id);
    others.remove(id);
    for (Wait wait : taken) {
      gone(wait);
    }
    return taken;
  }

  /** Fails all waits, so that their callers ask another node, and refuses others. */
  void close() {
    List<Wait> all = new ArrayList<>();
    synchronized (this) {
      closed = true;
      waits.values().forEach(all::addAll);
      waits.clear();
      first.clear();
      others.clear();
      byCaller.clear();
      count = 0;
      isAny = false;
    }
    all.forEach(wait -> wait.answer.failed(new NodeStopping()));
  }
}
