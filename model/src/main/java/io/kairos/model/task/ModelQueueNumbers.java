package io.kairos.model.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.RetiredQueues;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.HandlerBacklog;
import io.kairos.engine.task.port.operator.HandlerCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the queues of {@link ModelTaskStore}, and which handlers were asked for. Not
 * thread-safe: its owner locks.
 */
final class ModelQueueNumbers {
  private final Map<QueueName, QueueId> numbers = new LinkedHashMap<>();
  private final Map<QueueId, QueueName> names = new LinkedHashMap<>();
  private final Map<QueueId, Long> retired = new LinkedHashMap<>();
  private final Map<QueueMaker, Integer> made = new HashMap<>();
  private final Map<QueueId, QueueMaker> makers = new HashMap<>();
  private final Map<TaskHandler, Instant> askedAt = new HashMap<>();
  private final Set<QueueId> fair = new TreeSet<>(Comparator.comparingInt(QueueId::value));
  private int highest;
  private long marks;

  /** Returns the numbers of queues; new ones get a number while there is room. */
  Map<QueueName, QueueId> of(Collection<QueueName> wanted, @Nullable QueueMaker maker) {
    Map<QueueName, QueueId> found = new HashMap<>();
    for (QueueName name : wanted) {
      if (!numbers.containsKey(name)) {
        if (numbers.size() >= TaskStore.MOST_QUEUES || madeBy(maker) >= QueueMaker.MOST_QUEUES) {
          continue;
        }
        QueueId fresh = new QueueId(++highest);
        numbers.put(name, fresh);
        names.put(fresh, name);
        if (maker != null) {
          made.merge(maker, 1, Integer::sum);
          makers.put(fresh, maker);
        }
      }
      QueueId number = requireNonNull(numbers.get(name));
      retired.remove(number);
      found.put(name, number);
    }
    return found;
  }

  int madeBy(@Nullable QueueMaker maker) {
    return maker == null ? 0 : made.getOrDefault(maker, 0);
  }

  /** All queues, in the order of their numbers. */
  Map<QueueId, QueueName> all() {
    Map<QueueId, QueueName> listed = new LinkedHashMap<>(names);
    listed.keySet().removeAll(retired.keySet());
    return listed;
  }

  /** Notes that a queue has a task with a fairness key. */
  void isFair(QueueId queue) {
    fair.add(queue);
  }

  /** The queues that have had a task with a fairness key. */
  Set<QueueId> fair() {
    return Set.copyOf(fair);
  }

  /** Retires the queues that hold nothing, and returns all retired ones. */
  RetiredQueues retire(Predicate<QueueId> holdsNothing) {
    retired.keySet().removeIf(holdsNothing.negate());
    if (names.size() >= TaskStore.FEW_QUEUES) {
      names.keySet().stream()
          .filter(queue -> !retired.containsKey(queue) && holdsNothing.test(queue))
          .toList()
          .forEach(queue -> retired.put(queue, ++marks));
    }
    return new RetiredQueues(retired, 0);
  }

  /** Removes those that are still retired by the same mark; returns how many. */
  int forget(RetiredQueues seen, Predicate<QueueId> holdsNothing) {
    int before = names.size();
    seen.marks()
        .forEach((queue, mark) -> {
          if (mark.equals(retired.get(queue)) && holdsNothing.test(queue)) {
            retired.remove(queue);
            fair.remove(queue);
            numbers.remove(names.remove(queue));
            QueueMaker maker = makers.remove(queue);
            if (maker != null) {
              made.merge(maker, -1, Integer::sum);
            }
          }
        });
    return before - names.size();
  }

  /** True when the queue has a name and is not retired. */
  boolean isInUse(QueueId queue) {
    return names.containsKey(queue) && !retired.containsKey(queue);
  }

  boolean isAsked(QueueId queue) {
    return askedAt.containsKey(handler(queue));
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

  /** Forgets what was asked for before {@code oldest}, and the oldest of more than may be kept. */
  void forgetAsked(Instant oldest) {
    askedAt.values().removeIf(at -> at.isBefore(oldest));
    List<Instant> latest = new ArrayList<>(askedAt.values());
    if (latest.size() > TaskStore.MOST_ASKED) {
      latest.sort(Comparator.reverseOrder());
      Instant last = latest.get(TaskStore.MOST_ASKED);
      askedAt.values().removeIf(at -> !at.isAfter(last));
    }
  }

  /**
   * Counts of the handlers after one, in the order of their names.
   *
   * @param rows all tasks
   */
  List<HandlerCounts> numbers(
      List<TaskRow> rows,
      Predicate<TaskHandler> which,
      @Nullable TaskHandler after,
      int limit,
      long nowMicros) {
    Set<TaskHandler> known = new TreeSet<>(Comparator.comparing(TaskHandler::wireName));
    numbers.keySet().forEach(name -> known.add(name.handler()));
    known.addAll(askedAt.keySet());
    return known.stream()
        .filter(which)
        .filter(name -> after == null || name.wireName().compareTo(after.wireName()) > 0)
        .limit(limit)
        .map(name -> numbers(rows, name, nowMicros))
        .toList();
  }

  private HandlerCounts numbers(List<TaskRow> rows, TaskHandler handler, long nowMicros) {
    Map<TaskState, Integer> counts = new EnumMap<>(TaskState.class);
    for (TaskRow row : rows) {
      if (handler(row).equals(handler)) {
        counts.merge(row.state(), 1, Integer::sum);
      }
    }
    Duration oldest = backlog(rows, handler, nowMicros, false).oldest();
    return new HandlerCounts(
        handler,
        counts.getOrDefault(TaskState.NEW, 0) + counts.getOrDefault(TaskState.RETRIABLE_FAILURE, 0),
        counts.getOrDefault(TaskState.ENQUEUED, 0),
        counts.getOrDefault(TaskState.PROCESSING, 0),
        counts.getOrDefault(TaskState.BLOCKED, 0),
        counts.getOrDefault(TaskState.PAUSED, 0),
        counts.getOrDefault(TaskState.DEAD, 0),
        counts.getOrDefault(TaskState.FAILED, 0),
        askedAt.get(handler),
        oldest.isZero() ? null : oldest,
        HandlerCounts.Counting.FULL.most(),
        false);
  }

  /** The handlers that have queues. */
  Set<TaskHandler> handlers() {
    return numbers.keySet().stream().map(QueueName::handler).collect(Collectors.toSet());
  }

  /**
   * What one handler has not done.
   *
   * @param rows all tasks
   */
  HandlerBacklog backlog(
      List<TaskRow> rows, TaskHandler handler, long nowMicros, boolean isPaused) {
    Map<TaskState, Integer> counts = new EnumMap<>(TaskState.class);
    int due = 0;
    long oldest = nowMicros;
    for (TaskRow row : rows) {
      if (!handler(row).equals(handler)) {
        continue;
      }
      counts.merge(row.state(), 1, Integer::sum);
      boolean isEnqueued = row.state() == TaskState.ENQUEUED;
      long dueMicros = isEnqueued ? row.dueMicros : row.triggerMicros;
      if ((row.isWaiting() || isEnqueued) && dueMicros <= nowMicros) {
        due++;
        if (row.isWaiting() || row.attempt() == 0) {
          oldest = Math.min(oldest, dueMicros);
        }
      }
    }
    return new HandlerBacklog(
        handler,
        due,
        EpochMicros.toDuration(nowMicros - oldest),
        counts.getOrDefault(TaskState.PROCESSING, 0),
        counts.getOrDefault(TaskState.DEAD, 0),
        counts.getOrDefault(TaskState.FAILED, 0),
        isPaused,
        askedAt.get(handler));
  }
}
