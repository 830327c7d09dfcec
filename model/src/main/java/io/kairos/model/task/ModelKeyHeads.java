package io.kairos.model.task;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.operator.HeadResult;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Operators' actions on the head tasks of ordering keys of {@link ModelTaskStore}. Not thread-safe:
 * its owner locks.
 */
final class ModelKeyHeads {
  private final TaskTable tasks;
  private final ModelOrderingKeys keys;

  ModelKeyHeads(TaskTable tasks, ModelOrderingKeys keys) {
    this.tasks = tasks;
    this.keys = keys;
  }

  HeadResult skip(TaskHandler handler, OrderingKey key, @Nullable TaskId expected, long now) {
    Optional<OrderingKeyId> id = keys.find(handler, key);
    if (id.isEmpty()) {
      return HeadResult.NOT_STUCK;
    }
    TaskId blocker = keys.state(id.get()).blockedBy();
    if (blocker != null) {
      if (expected != null && !expected.equals(blocker)) {
        return HeadResult.OTHER_HEAD;
      }
      keys.set(id.get(), keys.state(id.get()).skipped());
      return HeadResult.DONE;
    }
    return failing(
        id.get(),
        expected,
        head -> {
          tasks.fail(head, TaskEvent.SKIP, "skipped by an operator", now);
          keys.left(List.of(head));
        });
  }

  HeadResult retry(TaskHandler handler, OrderingKey key, @Nullable TaskId expected, long now) {
    Optional<OrderingKeyId> id = keys.find(handler, key);
    if (id.isEmpty()) {
      return HeadResult.NOT_STUCK;
    }
    TaskId blocker = keys.state(id.get()).blockedBy();
    if (blocker == null) {
      return failing(
          id.get(), expected, head -> tasks.change(head, one -> one.happens(TaskEvent.HURRY, now)));
    }
    if (expected != null && !expected.equals(blocker)) {
      return HeadResult.OTHER_HEAD;
    }
    TaskRow row = tasks.finished(blocker);
    if (row == null) {
      return HeadResult.NOT_STUCK;
    }
    tasks.revive(row, one -> one.beginsAnew(one.dueMicros, now));
    keys.set(id.get(), keys.state(id.get()).retried());
    return HeadResult.DONE;
  }

  private HeadResult failing(
      OrderingKeyId key, @Nullable TaskId expected, Consumer<TaskRow> action) {
    TaskId id = keys.state(key).head();
    TaskRow head = id == null ? null : tasks.live(id);
    if (head == null || head.attempt() == 0) {
      return HeadResult.NOT_STUCK;
    }
    if (expected != null && !expected.equals(id)) {
      return HeadResult.OTHER_HEAD;
    }
    if (head.state() == TaskState.PROCESSING) {
      return HeadResult.BEING_PERFORMED;
    }
    action.accept(head);
    return HeadResult.DONE;
  }
}
