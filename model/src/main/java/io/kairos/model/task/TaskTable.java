package io.kairos.model.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.queue.QueueId;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rows of {@link ModelTaskStore} with its indexes. Not thread-safe: its owner locks. */
final class TaskTable {
  private final TaskStoreObserver observer;
  private final NavigableMap<TaskId, TaskRow> live = new TreeMap<>();
  private final NavigableMap<TaskId, TaskRow> finished = new TreeMap<>();
  private final Map<QueueId, NavigableSet<TaskRow>> waiting = new HashMap<>();
  private final Map<OrderingKeyId, NavigableSet<TaskRow>> byKey = new HashMap<>();
  private final NavigableSet<TaskRow> stopped = new TreeSet<>(TaskRow.EARLIEST_FIRST);
  private Consumer<TaskRow> ended = _ -> {};
  private Consumer<TaskRow> putBack = _ -> {};
  private final NavigableSet<TaskRow> held = new TreeSet<>(TaskRow.EARLIEST_FIRST);

  TaskTable(TaskStoreObserver observer) {
    this.observer = observer;
  }

  /** Adds one who is told of each task that ends, within the call that ends it. */
  void whenOneEnds(Consumer<TaskRow> told) {
    ended = ended.andThen(told);
  }

  /** Adds one who is told of each task that is about to be put back, in the state of its end. */
  void whenOneIsPutBack(Consumer<TaskRow> told) {
    putBack = putBack.andThen(told);
  }

  @Nullable TaskRow live(TaskId id) {
    return live.get(id);
  }

  /** The live row with this fence, or null. */
  @Nullable TaskRow under(FencedTask task) {
    TaskRow row = live(task.id());
    return row != null && row.fence() == task.fence() ? row : null;
  }

  /** The live row with this fence in this state, or null. */
  @Nullable TaskRow held(FencedTask task, TaskState as) {
    TaskRow row = under(task);
    return row != null && row.state() == as ? row : null;
  }

  @Nullable TaskRow finished(TaskId id) {
    return finished.get(id);
  }

  /** The row with this id, live or finished, or null. */
  @Nullable TaskRow any(TaskId id) {
    TaskRow row = live(id);
    return row == null ? finished(id) : row;
  }

  long liveCount(Predicate<TaskRow> which) {
    return live.values().stream().filter(which).count();
  }

  /** Stores a row with a new id. */
  void insert(TaskRow row) {
    live.put(row.id(), row);
    index(row).add(row);
    if (row.keyId != null) {
      byKey.computeIfAbsent(row.keyId, _ -> new TreeSet<>(TaskRow.DUE_FIRST)).add(row);
    }
    if (isObserved()) {
      observer.inserted(row.seen());
    }
  }

  private boolean isObserved() {
    return !observer.equals(TaskStoreObserver.NONE);
  }

  /** Changes a live row; one that is finished by it leaves the live ones. */
  void change(TaskRow row, Consumer<TaskRow> change) {
    if (!index(row).remove(row)) {
      throw new IllegalStateException("the index has lost " + row.id());
    }
    NavigableSet<TaskRow> ofKey = row.keyId == null ? null : byKey.get(row.keyId);
    if (ofKey != null) {
      ofKey.remove(row);
    }
    TaskStoreObserver.@Nullable Row before = isObserved() ? row.seen() : null;
    change.accept(row);
    if (ofKey != null && !row.state().isFinished()) {
      ofKey.add(row);
    }
    if (row.state().isFinished()) {
      live.remove(row.id());
      finished.put(row.id(), row);
    } else {
      index(row).add(row);
    }
    if (before != null) {
      observer.changed(before, row.seen());
    }
    if (row.state().isFinished()) {
      ended.accept(row);
    }
  }

  /** Ends a live row by an event that fails it. */
  void fail(TaskRow row, TaskEvent event, String error, long nowMicros) {
    change(
        row,
        one -> {
          one.noteFailure(event, error, "", "", nowMicros);
          one.ends(event, nowMicros);
        });
  }

  /** Makes a finished row live again. */
  void revive(TaskRow row, Consumer<TaskRow> change) {
    finished.remove(row.id());
    putBack.accept(row);
    change.accept(row);
    insert(row);
  }

  /** All tasks that have not ended. */
  Collection<TaskRow> live() {
    return List.copyOf(live.values());
  }

  /** Tells the observer of edges to tasks that are inserted next. */
  void awaiting(List<GraphEdge> edges) {
    if (!edges.isEmpty()) {
      observer.awaiting(edges);
    }
  }

  /** Unfinished tasks with ids from {@code first} to {@code last}. */
  Collection<TaskRow> live(TaskId first, TaskId last) {
    return List.copyOf(live.subMap(first, true, last, true).values());
  }

  /** Ended tasks with ids from {@code first} to {@code last}. */
  Collection<TaskRow> finished(TaskId first, TaskId last) {
    return List.copyOf(finished.subMap(first, true, last, true).values());
  }

  /** Waiting tasks of a queue, the earliest trigger first. */
  Collection<TaskRow> waiting(QueueId queue) {
    return waiting.getOrDefault(queue, Collections.emptyNavigableSet());
  }

  /** Unfinished tasks of a key that wait for no predecessors, in due order. */
  Collection<TaskRow> ofKey(OrderingKeyId key) {
    return byKey.getOrDefault(key, Collections.emptyNavigableSet()).stream()
        .filter(row -> row.state() != TaskState.AWAITING)
        .toList();
  }

  /** True while an unfinished task has the key. */
  boolean hasAny(OrderingKeyId key) {
    return !byKey.getOrDefault(key, Collections.emptyNavigableSet()).isEmpty();
  }

  /** Unfinished tasks that nobody performs and that must have begun before a time. */
  List<TaskRow> notBegunBy(long beforeMicros) {
    return live.values().stream()
        .filter(row -> row.state() != TaskState.PROCESSING)
        .filter(row -> row.isTooLateAt(beforeMicros))
        .sorted(TaskRow.DEADLINE_FIRST)
        .toList();
  }

  /** Held tasks, the earliest trigger first. */
  Collection<TaskRow> held() {
    return Collections.unmodifiableCollection(held);
  }

  /** All tasks with smaller ids, or all, newest first. */
  List<TaskRow> newestFirst(@Nullable TaskId before) {
    NavigableMap<TaskId, TaskRow> rows = new TreeMap<>(live);
    rows.putAll(finished);
    return List.copyOf(
        (before == null ? rows : rows.headMap(before, false)).descendingMap().values());
  }

  /**
   * Forgets tasks that ended in a state before a time, the longest ago first; says how many.
   *
   * @param kept tasks that are not forgotten yet
   */
  int forget(TaskState ended, long beforeMicros, int limit, Set<TaskId> kept) {
    List<TaskRow> old =
        finished.values().stream()
            .filter(row -> row.state() == ended && row.finishedMicros < beforeMicros)
            .filter(row -> !kept.contains(row.id()))
            .sorted(Comparator.comparingLong(row -> row.finishedMicros))
            .limit(limit)
            .toList();
    for (TaskRow row : old) {
      finished.remove(row.id());
      if (isObserved()) {
        observer.forgotten(row.seen());
      }
    }
    return old.size();
  }

  private NavigableSet<TaskRow> index(TaskRow row) {
    if (row.isWaiting()) {
      return waiting.computeIfAbsent(row.queue(), _ -> new TreeSet<>(TaskRow.EARLIEST_FIRST));
    }
    return row.state().isHeld() ? held : stopped;
  }
}
