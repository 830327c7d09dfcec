package io.kairos.testkit.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.KeyState.Change;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.Gate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What closed gates do to the tasks of {@link ModelTaskStore}. Not thread-safe: its owner locks.
 */
final class Gatekeeper {
  private final GateBook gates;
  private final TaskTable tasks;
  private final ModelKeys keys;
  private final QueueBook queues;

  Gatekeeper(GateBook gates, TaskTable tasks, ModelKeys keys, QueueBook queues) {
    this.gates = gates;
    this.tasks = tasks;
    this.keys = keys;
    this.queues = queues;
  }

  /** Those of a queue that wait and are not behind a gate of their whole handler. */
  Collection<TaskRow> waiting(QueueId queue) {
    return gates.closesAll(queues.handler(queue)) ? List.of() : tasks.waiting(queue);
  }

  /** Holds a waiting task back if its collection is behind a gate. */
  boolean pauses(TaskRow row) {
    if (!gates.closes(queues.handler(row), row.collection())) {
      return false;
    }
    tasks.change(row, one -> one.happens(TaskEvent.PAUSE));
    return true;
  }

  /** Takes an enqueued task from its queue if it is behind a gate and may not begin. */
  boolean takesOut(TaskRow row, long now) {
    TaskHandler handler = queues.handler(row);
    boolean pauses = gates.closes(handler, row.collection());
    boolean closesAll = gates.closesAll(handler);
    if (!closesAll && !pauses) {
      return false;
    }
    tasks.change(
        row,
        one ->
            one.happens(
                closesAll ? TaskEvent.RELEASE : TaskEvent.PAUSE,
                one.attempt() == 0 ? one.dueMicros : now));
    return true;
  }

  /** Wakes what open gates have held back, and ends what closed ones drop; says how many. */
  int tend(int limit, long now) {
    int changed = 0;
    for (Gate gate : gates.open()) {
      changed += wake(gate, limit);
    }
    for (Gate gate : gates.dropping()) {
      changed += drop(gate, limit, now);
    }
    return changed;
  }

  /** Only what its collection holds back is paused: behind a gate of the handler, tasks wait. */
  private int wake(Gate gate, int limit) {
    List<TaskRow> paused =
        gate.collection() == null
            ? List.of()
            : behind(gate).filter(row -> row.state() == TaskState.PAUSED).limit(limit).toList();
    paused.forEach(row -> tasks.change(row, one -> one.happens(TaskEvent.RESUME)));
    if (paused.isEmpty()) {
      gates.remove(gate);
    }
    return paused.size();
  }

  /** Of a whole handler, what is blocked behind a task that is performed waits after it. */
  private int drop(Gate gate, int limit, long now) {
    List<TaskRow> doomed =
        new ArrayList<>(
            behind(gate)
                .filter(row -> !row.state().isHeld())
                .filter(row -> gate.collection() != null || !row.isBlocked())
                .limit(limit)
                .toList());
    if (gate.collection() == null) {
      Set<KeyId> theirs = new HashSet<>();
      for (TaskRow row : doomed) {
        if (row.keyId != null) {
          theirs.add(row.keyId);
        }
      }
      doomed.addAll(
          behind(gate)
              .filter(TaskRow::isBlocked)
              .filter(row -> isBehind(requireNonNull(row.keyId), theirs))
              .limit(limit)
              .toList());
    }
    for (TaskRow row : doomed) {
      tasks.change(
          row,
          one -> {
            one.noteFailure("dropped: " + gate.note(), now);
            one.ends(TaskEvent.DROP, now);
          });
    }
    keys.after(doomed.stream().map(row -> new ModelKeys.Changed(Change.LEFT, row)).toList());
    return doomed.size();
  }

  private boolean isBehind(KeyId key, Set<KeyId> doomed) {
    return doomed.contains(key) || keys.state(key).blockedBy() != null;
  }

  private Stream<TaskRow> behind(Gate gate) {
    return tasks.live().stream()
        .filter(row -> queues.handler(row).equals(gate.handler()))
        .filter(row -> gate.collection() == null || gate.collection().equals(row.collection()));
  }
}
