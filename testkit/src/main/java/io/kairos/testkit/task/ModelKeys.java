package io.kairos.testkit.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.KeyPolicy;
import io.kairos.domain.task.KeyPolicy.Ordered;
import io.kairos.domain.task.KeyState;
import io.kairos.domain.task.KeyState.Change;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.task.port.KeyQuery;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.StuckKey;
import io.kairos.engine.task.port.SweptKeys;
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
import java.util.stream.Collectors;

/** The ordering keys of {@link ModelTaskStore}. Not thread-safe: its owner locks. */
final class ModelKeys {
  private static final Comparator<KeyQuery.Place> LISTED =
      Comparator.comparing(KeyQuery.Place::reason).thenComparing(KeyQuery.Place::key);

  private final TaskTable tasks;
  private final Function<QueueId, TaskHandler> handlers;
  private final Map<TaskHandler, KeyPolicy> policies = new HashMap<>();
  private final Map<Name, KeyId> ids = new HashMap<>();
  private final NavigableMap<KeyId, Key> keys = new TreeMap<>();
  private long lastId;

  ModelKeys(TaskTable tasks, Function<QueueId, TaskHandler> handlers) {
    this.tasks = tasks;
    this.handlers = handlers;
  }

  private record Name(TaskHandler handler, OrderingKey key) {}

  private static final class Key {
    final Name name;
    KeyState state = KeyState.NEW;

    Key(Name name) {
      this.name = name;
    }
  }

  /** Where a new task stands. */
  record Place(KeyId key, boolean blocked) {}

  KeyPolicy policy(TaskHandler handler) {
    return policies.getOrDefault(handler, KeyPolicy.DEFAULT);
  }

  void setPolicy(TaskHandler handler, KeyPolicy policy) {
    policies.put(handler, policy);
    keys.forEach((id, key) -> {
      if (key.name.handler().equals(handler)) {
        promote(id);
      }
    });
  }

  private KeyPolicy policy(KeyId id) {
    return policy(key(id).name.handler());
  }

  private Key key(KeyId id) {
    return requireNonNull(keys.get(id), "a key that has tasks was pruned");
  }

  /** For those that have keys, whether they are to wait as blocked; before they are stored. */
  Map<TaskId, Place> places(Collection<NewTask> fresh) {
    Map<TaskId, Place> places = new HashMap<>();
    Map<KeyId, NewTask> earliestNew = new HashMap<>();
    fresh.stream()
        .filter(task -> task.details().key() != null)
        .sorted(Comparator.comparingLong(NewTask::dueMicros).thenComparing(NewTask::id))
        .forEach(task -> {
          KeyId id =
              idOf(new Name(handlers.apply(task.queue()), requireNonNull(task.details().key())));
          Optional<TaskRow> first = tasks.ofKey(id).stream().findFirst();
          boolean isFirst =
              earliestNew.putIfAbsent(id, task) == null
                  && (first.isEmpty() || isBefore(task, first.get()));
          places.put(task.id(), new Place(id, key(id).state.blocksNew(isFirst, policy(id))));
        });
    return places;
  }

  private static boolean isBefore(NewTask task, TaskRow row) {
    return task.dueMicros() != row.dueMicros
        ? task.dueMicros() < row.dueMicros
        : task.id().compareTo(row.id()) < 0;
  }

  /** Made when it is new. */
  KeyId of(TaskHandler handler, OrderingKey key) {
    return idOf(new Name(handler, key));
  }

  private KeyId idOf(Name name) {
    return ids.computeIfAbsent(
        name,
        fresh -> {
          KeyId id = new KeyId(++lastId);
          keys.put(id, new Key(fresh));
          return id;
        });
  }

  /** Of enqueued tasks with keys, those that may begin; the others leave their queue. */
  Set<FencedTask> allowed(List<TaskRow> enqueued, long nowMicros) {
    Set<FencedTask> allowed = new HashSet<>();
    Map<KeyId, KeyState> states = new HashMap<>();
    Map<KeyId, Integer> heldBack = new HashMap<>();
    List<TaskRow> inDueOrder = new ArrayList<>(enqueued);
    inDueOrder.sort(TaskRow.DUE_FIRST);
    for (TaskRow row : inDueOrder) {
      KeyId id = requireNonNull(row.keyId);
      KeyState state = states.getOrDefault(id, key(id).state);
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
      } else {
        states.put(id, state.begun(row.id(), nowMicros, policy(id)));
        allowed.add(row.fenced());
      }
    }
    return allowed;
  }

  void begun(TaskRow row, long nowMicros) {
    KeyId id = row.keyId;
    if (id != null) {
      Key key = key(id);
      key.state = key.state.begun(row.id(), nowMicros, policy(id));
    }
  }

  /** What has happened to a task. */
  record Changed(Change what, TaskRow row) {}

  /** Says on which queues tasks wait now that were blocked. */
  Set<QueueId> after(Collection<Changed> changes) {
    return following(changes).stream().map(TaskRow::queue).collect(Collectors.toSet());
  }

  /** The tasks that wait now and were blocked. */
  List<TaskRow> following(Collection<Changed> changes) {
    Set<KeyId> changed = new HashSet<>();
    for (Changed change : changes) {
      KeyId id = change.row().keyId;
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

  Set<QueueId> after(Change what, TaskRow row) {
    return after(List.of(new Changed(what, row)));
  }

  private List<TaskRow> promote(KeyId id) {
    KeyState state = key(id).state;
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

  /** Whose turn it is: the head's or, without one, that of the earliest. */
  private Optional<TaskRow> turn(KeyId id) {
    TaskId head = key(id).state.head();
    return head == null
        ? tasks.ofKey(id).stream().findFirst()
        : Optional.ofNullable(tasks.live(head));
  }

  Optional<KeyId> find(TaskHandler handler, OrderingKey key) {
    return Optional.ofNullable(ids.get(new Name(handler, key)));
  }

  KeyState state(KeyId id) {
    return key(id).state;
  }

  /** An operator has decided. */
  void set(KeyId id, KeyState next) {
    key(id).state = next;
    promote(id);
  }

  List<StuckKey> stuck(KeyQuery query) {
    List<StuckKey> stuck = new ArrayList<>();
    keys.forEach((id, key) -> stuck(id, key).ifPresent(stuck::add));
    KeyQuery.Place after = query.after();
    return stuck.stream()
        .filter(key -> query.handler() == null || query.handler().equals(key.handler()))
        .sorted(Comparator.comparing(StuckKey::place, LISTED))
        .filter(key -> after == null || LISTED.compare(key.place(), after) > 0)
        .limit(query.limit())
        .toList();
  }

  private Optional<StuckKey> stuck(KeyId id, Key key) {
    TaskId blocker = key.state.blockedBy();
    TaskRow head = key.state.head() == null ? null : tasks.live(key.state.head());
    if (blocker != null) {
      return Optional.of(stuck(id, key, StuckKey.Reason.HEAD_FAILED, blocker));
    }
    return head != null && head.isFailing()
        ? Optional.of(stuck(id, key, StuckKey.Reason.HEAD_IS_RETRIED, head.id()))
        : Optional.empty();
  }

  private StuckKey stuck(KeyId id, Key key, StuckKey.Reason reason, TaskId head) {
    long behind = tasks.ofKey(id).stream().filter(row -> !row.id().equals(head)).count();
    int waiting = (int) Math.min(StuckKey.MOST_COUNTED, behind);
    return new StuckKey(
        id, key.name.handler(), key.name.key(), reason, head, waiting, lastError(head));
  }

  private String lastError(TaskId head) {
    TaskRow live = tasks.live(head);
    TaskRow row = live == null ? tasks.finished(head) : live;
    return row == null ? "" : row.lastError();
  }

  /** Forgets idle ones of the next keys. */
  SweptKeys sweep(Optional<KeyId> after, int limit) {
    List<KeyId> some =
        after.map(key -> keys.tailMap(key, false)).orElse(keys).keySet().stream()
            .limit(limit)
            .toList();
    int forgotten = 0;
    Set<QueueId> woken = new HashSet<>();
    for (KeyId id : some) {
      KeyState state = key(id).state;
      if (tasks.ofKey(id).isEmpty() && state.blockedBy() == null) {
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
