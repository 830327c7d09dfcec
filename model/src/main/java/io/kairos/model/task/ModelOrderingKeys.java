package io.kairos.model.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.OrderingKeyPolicy.Ordered;
import io.kairos.domain.task.OrderingKeyState;
import io.kairos.domain.task.OrderingKeyState.Change;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.SweptKeys;
import io.kairos.engine.task.port.operator.BlockedKey;
import io.kairos.engine.task.port.operator.KeyQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** The ordering keys of {@link ModelTaskStore}. Not thread-safe: its owner locks. */
final class ModelOrderingKeys {
  private static final Comparator<KeyQuery.PageStart> LISTED =
      Comparator.comparing(KeyQuery.PageStart::reason).thenComparing(KeyQuery.PageStart::key);

  private final TaskTable tasks;
  private final Function<QueueId, TaskHandler> handlers;
  private final Map<TaskHandler, OrderingKeyPolicy> policies = new HashMap<>();
  private final Map<Name, OrderingKeyId> ids = new HashMap<>();
  private final NavigableMap<OrderingKeyId, Key> keys = new TreeMap<>();
  private long lastId;

  ModelOrderingKeys(TaskTable tasks, Function<QueueId, TaskHandler> handlers) {
    this.tasks = tasks;
    this.handlers = handlers;
  }

  private record Name(TaskHandler handler, OrderingKey key) {}

  private static final class Key {
    final Name name;
    OrderingKeyState state = OrderingKeyState.NEW;

    Key(Name name) {
      this.name = name;
    }
  }

  /** Position of a new task. */
  record KeyPosition(OrderingKeyId key, boolean blocked) {}

  OrderingKeyPolicy policy(TaskHandler handler) {
    return policies.getOrDefault(handler, OrderingKeyPolicy.DEFAULT);
  }

  void setPolicy(TaskHandler handler, OrderingKeyPolicy policy) {
    policies.put(handler, policy);
    keys.forEach((id, key) -> {
      if (key.name.handler().equals(handler)) {
        promote(id);
      }
    });
  }

  private OrderingKeyPolicy policy(OrderingKeyId id) {
    return policy(key(id).name.handler());
  }

  private Key key(OrderingKeyId id) {
    return requireNonNull(keys.get(id), "a key that has tasks was pruned");
  }

  /**
   * Returns the positions of new tasks with keys, before they are stored.
   *
   * @param awaiting tasks that take no part in the order of their keys yet
   */
  Map<TaskId, KeyPosition> places(Collection<NewTask> fresh, Set<TaskId> awaiting) {
    Map<TaskId, KeyPosition> places = new HashMap<>();
    Map<OrderingKeyId, NewTask> earliestNew = new HashMap<>();
    fresh.stream()
        .filter(task -> task.details().key() != null)
        .sorted(Comparator.comparingLong(NewTask::dueMicros).thenComparing(NewTask::id))
        .forEach(task -> {
          OrderingKeyId id =
              idOf(new Name(handlers.apply(task.queue()), requireNonNull(task.details().key())));
          if (awaiting.contains(task.id())) {
            places.put(task.id(), new KeyPosition(id, false));
            return;
          }
          Optional<TaskRow> first = tasks.ofKey(id).stream().findFirst();
          boolean isFirst =
              earliestNew.putIfAbsent(id, task) == null
                  && (first.isEmpty() || isBefore(task, first.get()));
          places.put(task.id(), new KeyPosition(id, key(id).state.blocksNew(isFirst, policy(id))));
        });
    return places;
  }

  private static boolean isBefore(NewTask task, TaskRow row) {
    return task.dueMicros() != row.dueMicros
        ? task.dueMicros() < row.dueMicros
        : task.id().compareTo(row.id()) < 0;
  }

  /** Id of a key, created when the key is new. */
  OrderingKeyId of(TaskHandler handler, OrderingKey key) {
    return idOf(new Name(handler, key));
  }

  private OrderingKeyId idOf(Name name) {
    return ids.computeIfAbsent(
        name,
        fresh -> {
          OrderingKeyId id = new OrderingKeyId(++lastId);
          keys.put(id, new Key(fresh));
          return id;
        });
  }

  /** Returns the enqueued tasks with keys that may begin; the others leave their queue. */
  Set<FencedTask> allowed(List<TaskRow> enqueued, Predicate<TaskRow> limitsAdmit, long nowMicros) {
    Set<FencedTask> allowed = new HashSet<>();
    Map<OrderingKeyId, OrderingKeyState> states = new HashMap<>();
    Map<OrderingKeyId, Integer> heldBack = new HashMap<>();
    List<TaskRow> inDueOrder = new ArrayList<>(enqueued);
    inDueOrder.sort(TaskRow.DUE_FIRST);
    for (TaskRow row : inDueOrder) {
      OrderingKeyId id = row.keyId;
      FencedTask task = row.fenced();
      if (id == null) {
        if (limitsAdmit.test(row)) {
          allowed.add(task);
        }
        continue;
      }
      OrderingKeyState state = states.getOrDefault(id, key(id).state);
      boolean isFirst = tasks.ofKey(id).iterator().next() == row;
      int before = heldBack.getOrDefault(id, 0);
      if (!state.mayBegin(row.id(), isFirst, policy(id))) {
        tasks.change(row, one -> one.happens(TaskEvent.BLOCK, one.dueMicros));
        continue;
      }
      long delay = state.heldBackMicros(before, nowMicros, policy(id));
      if (delay > 0) {
        heldBack.put(id, before + 1);
        tasks.change(row, one -> one.happens(TaskEvent.RELEASE, nowMicros + delay));
      } else if (limitsAdmit.test(row)) {
        states.put(id, state.begun(row.id(), nowMicros, policy(id)));
        allowed.add(task);
      }
    }
    return allowed;
  }

  void begun(TaskRow row, long nowMicros) {
    OrderingKeyId id = row.keyId;
    if (id != null) {
      Key key = key(id);
      key.state = key.state.begun(row.id(), nowMicros, policy(id));
    }
  }

  /** A change of a task. */
  record Changed(Change what, TaskRow row) {}

  /** Applies that tasks have left their keys without being performed. */
  void left(List<TaskRow> rows) {
    following(rows.stream().map(row -> new Changed(Change.LEFT, row)).toList());
  }

  /** Applies changes and returns the tasks that were blocked and wait now. */
  List<TaskRow> following(Collection<Changed> changes) {
    Set<OrderingKeyId> changed = new HashSet<>();
    for (Changed change : changes) {
      OrderingKeyId id = change.row().keyId;
      if (id != null) {
        Key key = key(id);
        key.state = key.state.after(change.what(), change.row().id(), policy(id));
        changed.add(id);
      }
    }
    List<TaskRow> following = new ArrayList<>();
    changed.forEach(id -> following.addAll(promote(id)));
    return following;
  }

  private List<TaskRow> promote(OrderingKeyId id) {
    OrderingKeyState state = key(id).state;
    int room = state.room(policy(id));
    List<TaskRow> blocked =
        policy(id).mode() instanceof Ordered
            ? turn(id).stream().limit(room).toList()
            : tasks.ofKey(id).stream().filter(TaskRow::isBlocked).limit(room).toList();
    List<TaskRow> promoted = new ArrayList<>();
    for (TaskRow row : blocked) {
      if (row.isBlocked()) {
        tasks.change(row, one -> one.happens(TaskEvent.UNBLOCK));
        promoted.add(row);
      }
    }
    return promoted;
  }

  /** The task whose turn it is: the head or, without a head, the earliest. */
  private Optional<TaskRow> turn(OrderingKeyId id) {
    TaskId head = key(id).state.head();
    return head == null
        ? tasks.ofKey(id).stream().findFirst()
        : Optional.ofNullable(tasks.live(head));
  }

  Optional<OrderingKeyId> find(TaskHandler handler, OrderingKey key) {
    return Optional.ofNullable(ids.get(new Name(handler, key)));
  }

  OrderingKeyState state(OrderingKeyId id) {
    return key(id).state;
  }

  /** Sets the state that an operator has chosen. */
  void set(OrderingKeyId id, OrderingKeyState next) {
    key(id).state = next;
    promote(id);
  }

  List<BlockedKey> stuck(KeyQuery query) {
    List<BlockedKey> stuck = new ArrayList<>();
    keys.forEach((id, key) -> stuck(id, key).ifPresent(stuck::add));
    KeyQuery.PageStart after = query.after();
    return stuck.stream()
        .filter(key -> query.handler() == null || query.handler().equals(key.handler()))
        .sorted(Comparator.comparing(BlockedKey::place, LISTED))
        .filter(key -> after == null || LISTED.compare(key.place(), after) > 0)
        .limit(query.limit())
        .toList();
  }

  private Optional<BlockedKey> stuck(OrderingKeyId id, Key key) {
    TaskId blocker = key.state.blockedBy();
    TaskRow head = key.state.head() == null ? null : tasks.live(key.state.head());
    if (blocker != null) {
      return Optional.of(stuck(id, key, BlockedKey.Reason.HEAD_FAILED, blocker));
    }
    return head != null && head.isFailing()
        ? Optional.of(stuck(id, key, BlockedKey.Reason.HEAD_IS_RETRIED, head.id()))
        : Optional.empty();
  }

  private BlockedKey stuck(OrderingKeyId id, Key key, BlockedKey.Reason reason, TaskId head) {
    long behind = tasks.ofKey(id).stream().filter(row -> !row.id().equals(head)).count();
    int waiting = (int) Math.min(BlockedKey.MOST_COUNTED, behind);
    return new BlockedKey(
        id, key.name.handler(), key.name.key(), reason, head, waiting, lastError(head));
  }

  private String lastError(TaskId head) {
    TaskRow row = tasks.any(head);
    return row == null ? "" : row.lastError();
  }

  /** Forgets the idle keys among the next ones. */
  SweptKeys sweep(Optional<OrderingKeyId> after, int limit) {
    List<OrderingKeyId> some =
        after.map(key -> keys.tailMap(key, false)).orElse(keys).keySet().stream()
            .limit(limit)
            .toList();
    int forgotten = 0;
    Set<QueueId> woken = new HashSet<>();
    for (OrderingKeyId id : some) {
      OrderingKeyState state = key(id).state;
      if (!tasks.hasAny(id) && state.blockedBy() == null) {
        ids.remove(key(id).name);
        keys.remove(id);
        forgotten++;
      } else {
        promote(id).forEach(row -> woken.add(row.queue()));
      }
    }
    return some.isEmpty()
        ? SweptKeys.NONE
        : new SweptKeys(some.getLast(), forgotten + woken.size());
  }
}
