package io.kairos.model.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.operator.TaskPause;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Effects of pauses on the tasks of {@link ModelTaskStore}. Not thread-safe: its owner locks. */
final class ModelPausedTasks {
  private final ModelPauses pauses;
  private final TaskTable tasks;
  private final ModelOrderingKeys keys;
  private final ModelQueueNumbers queues;

  ModelPausedTasks(
      ModelPauses pauses, TaskTable tasks, ModelOrderingKeys keys, ModelQueueNumbers queues) {
    this.pauses = pauses;
    this.tasks = tasks;
    this.keys = keys;
    this.queues = queues;
  }

  /** Waiting tasks of a queue; none while its whole handler is paused. */
  Collection<TaskRow> waiting(QueueId queue) {
    return pauses.closesAll(queues.handler(queue)) ? List.of() : tasks.waiting(queue);
  }

  /** Pauses a waiting task if its collection is paused; returns true if so. */
  boolean pauses(TaskRow row) {
    if (!pauses.closes(queues.handler(row), row.collection())) {
      return false;
    }
    tasks.change(row, one -> one.happens(TaskEvent.PAUSE));
    return true;
  }

  /** True when the task's handler or collection is paused. */
  boolean isPaused(TaskRow row) {
    TaskHandler handler = queues.handler(row);
    return pauses.closesAll(handler) || pauses.closes(handler, row.collection());
  }

  /** Takes an enqueued task from its queue if it is paused; returns true if so. */
  boolean takesOut(TaskRow row, long now) {
    TaskHandler handler = queues.handler(row);
    boolean closes = pauses.closes(handler, row.collection());
    boolean closesAll = pauses.closesAll(handler);
    if (!closesAll && !closes) {
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

  /** Resumes tasks of ended pauses, and drops those of pauses that drop; returns how many. */
  int tend(int limit, long now) {
    int changed = 0;
    for (TaskPause pause : pauses.open()) {
      changed += wake(pause, limit);
    }
    for (TaskPause pause : pauses.dropping()) {
      changed += drop(pause, limit, now);
    }
    return changed;
  }

  /** Resumes paused tasks of a collection; tasks of a paused handler wait and are not paused. */
  private int wake(TaskPause pause, int limit) {
    List<TaskRow> paused =
        pause.collection() == null
            ? List.of()
            : behind(pause).filter(row -> row.state() == TaskState.PAUSED).limit(limit).toList();
    paused.forEach(row -> tasks.change(row, one -> one.happens(TaskEvent.RESUME)));
    if (paused.isEmpty()) {
      pauses.remove(pause);
    }
    return paused.size();
  }

  /**
   * Drops tasks that no worker performs. In a pause of a whole handler, a blocked task is dropped
   * only with a task of its key, or when a failed task blocks the key; the others stay blocked.
   */
  private int drop(TaskPause pause, int limit, long now) {
    boolean isWholeHandler = pause.collection() == null;
    List<TaskRow> doomed = new ArrayList<>();
    behind(pause)
        .filter(row -> row.allows(TaskEvent.DROP) && !(isWholeHandler && row.isBlocked()))
        .limit(limit)
        .forEach(doomed::add);
    if (isWholeHandler) {
      Set<@Nullable OrderingKeyId> dropped = new HashSet<>();
      doomed.forEach(row -> dropped.add(row.keyId));
      behind(pause)
          .filter(TaskRow::isBlocked)
          .filter(row ->
              dropped.contains(row.keyId)
                  || keys.state(requireNonNull(row.keyId)).blockedBy() != null)
          .limit(limit)
          .forEach(doomed::add);
    }
    doomed.forEach(row -> tasks.fail(row, TaskEvent.DROP, "dropped: " + pause.note(), now));
    keys.left(doomed);
    return doomed.size();
  }

  private Stream<TaskRow> behind(TaskPause pause) {
    return tasks.live().stream()
        .filter(row -> queues.handler(row).equals(pause.handler()))
        .filter(row -> pause.collection() == null || pause.collection().equals(row.collection()));
  }
}
