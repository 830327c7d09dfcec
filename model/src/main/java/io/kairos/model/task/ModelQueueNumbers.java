package io.kairos.model.task;

import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.HandlerCounts;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the queues of {@link ModelTaskStore}, and which handlers were asked for. Not
 * thread-safe: its owner locks.
 */
final class ModelQueueNumbers {
  private final Map<QueueName, QueueId> numbers = new LinkedHashMap<>();
  private final Map<QueueId, QueueName> names = new LinkedHashMap<>();
  private final Map<TaskHandler, Instant> askedAt = new HashMap<>();

  /** Returns the numbers of queues; new ones get a number while there is room. */
  Map<QueueName, QueueId> of(Collection<QueueName> wanted) {
    Map<QueueName, QueueId> found = new HashMap<>();
    for (QueueName name : wanted) {
      if (numbers.size() >= TaskStore.MOST_QUEUES && !numbers.containsKey(name)) {
        continue;
      }
      QueueId number = numbers.computeIfAbsent(name, _ -> new QueueId(numbers.size() + 1));
      names.put(number, name);
      found.put(name, number);
    }
    return found;
  }

  /** All queues, in the order of their numbers. */
  Map<QueueId, QueueName> all() {
    return new LinkedHashMap<>(names);
  }

  QueueName name(QueueId queue) {
    QueueName name = names.get(queue);
    if (name == null) {
      throw new IllegalStateException("a queue without a name: " + queue);
    }
    return name;
  }

  TaskHandler handler(QueueId queue) {
    return name(queue).handler();
  }

  TaskHandler handler(TaskRow row) {
    return handler(row.queue());
  }

  void asked(Collection<TaskHandler> handlers, Instant now) {
    handlers.forEach(handler -> askedAt.put(handler, now));
  }

  /**
   * Counts of one handler, or of the handlers after one, in the order of their names.
   *
   * @param rows all tasks
   */
  List<HandlerCounts> numbers(
      List<TaskRow> rows, @Nullable TaskHandler handler, @Nullable TaskHandler after, int limit) {
    Set<TaskHandler> known = new TreeSet<>(Comparator.comparing(TaskHandler::wireName));
    numbers.keySet().forEach(name -> known.add(name.handler()));
    known.addAll(askedAt.keySet());
    return known.stream()
        .filter(name -> handler == null || handler.equals(name))
        .filter(name -> after == null || name.wireName().compareTo(after.wireName()) > 0)
        .limit(limit)
        .map(name -> numbers(rows, name))
        .toList();
  }

  private HandlerCounts numbers(List<TaskRow> rows, TaskHandler handler) {
    Map<TaskState, Integer> counts = new EnumMap<>(TaskState.class);
    for (TaskRow row : rows) {
      if (handler(row).equals(handler)) {
        counts.merge(row.state(), 1, Integer::sum);
      }
    }
    return new HandlerCounts(
        handler,
        counts.getOrDefault(TaskState.NEW, 0) + counts.getOrDefault(TaskState.RETRIABLE_FAILURE, 0),
        counts.getOrDefault(TaskState.ENQUEUED, 0),
        counts.getOrDefault(TaskState.PROCESSING, 0),
        counts.getOrDefault(TaskState.BLOCKED, 0),
        counts.getOrDefault(TaskState.PAUSED, 0),
        counts.getOrDefault(TaskState.DEAD, 0),
        counts.getOrDefault(TaskState.FAILED, 0),
        askedAt.get(handler));
  }
}
