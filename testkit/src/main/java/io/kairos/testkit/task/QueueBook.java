package io.kairos.testkit.task;

import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.HandlerNumbers;
import io.kairos.engine.task.port.TaskStore;
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
final class QueueBook {
  private final Map<QueueName, QueueId> numbers = new LinkedHashMap<>();
  private final Map<QueueId, QueueName> names = new LinkedHashMap<>();
  private final Map<TaskHandler, Instant> askedAt = new HashMap<>();

  /** Numbers those that have no number yet, as long as there is room. */
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

  /** In the order of their numbers. */
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
   * Of one handler, or of those behind one, in the order of their names.
   *
   * @param rows all tasks
   */
  List<HandlerNumbers> numbers(
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

  private HandlerNumbers numbers(List<TaskRow> rows, TaskHandler handler) {
    Map<TaskState, Integer> counts = new EnumMap<>(TaskState.class);
    for (TaskRow row : rows) {
      if (handler(row).equals(handler)) {
        counts.merge(row.state(), 1, Integer::sum);
      }
    }
    return new HandlerNumbers(
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
