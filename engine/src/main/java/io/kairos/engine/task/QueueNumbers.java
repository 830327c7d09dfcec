package io.kairos.engine.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers of queues, asked of the store once each. Numbers never change; queues that other
 * nodes make are learnt by {@link #refresh}. Thread-safe.
 */
final class QueueNumbers {
  private final TaskStore store;
  private final Queues queues;
  private final Monotonic monotonic;
  private final long refreshNanos;
  private final Map<QueueName, QueueId> known = new ConcurrentHashMap<>();
  private long refreshedAtNanos;

  /** Nothing has been read yet, or others may have made queues since. */
  private volatile boolean stale = true;

  QueueNumbers(TaskStore store, Queues queues, Monotonic monotonic, Duration refreshEvery) {
    this.store = store;
    this.queues = queues;
    this.monotonic = monotonic;
    this.refreshNanos = refreshEvery.toNanos();
  }

  /** Asks the store for those that are new, unless there may be no more. */
  Map<QueueName, QueueId> of(Collection<QueueName> names) {
    Set<QueueName> fresh = new LinkedHashSet<>(names);
    fresh.removeAll(known.keySet());
    if (!fresh.isEmpty() && known.size() < TaskStore.MOST_QUEUES) {
      learn(store.queues(fresh));
    }
    return known;
  }

  /** Whether it is new, and there may be no more. */
  boolean isTooMany(QueueName name) {
    return known.size() >= TaskStore.MOST_QUEUES && !known.containsKey(name);
  }

  QueueId of(QueueName name) {
    return requireNonNull(known.get(name), "a queue without a number");
  }

  /** Others may have made queues: the next refresh asks. Any thread. */
  void expectNew() {
    stale = true;
  }

  /** By one thread; asks only now and then. */
  void refresh() {
    long now = monotonic.nanos();
    if (!stale && now - refreshedAtNanos < refreshNanos) {
      return;
    }
    stale = false;
    boolean read = false;
    try {
      Map<QueueName, QueueId> all = new HashMap<>();
      store.queues().forEach((id, name) -> all.put(name, id));
      learn(all);
      read = true;
    } finally {
      stale |= !read;
    }
    refreshedAtNanos = now;
  }

  private void learn(Map<QueueName, QueueId> numbers) {
    Map<QueueId, QueueName> byId = new HashMap<>();
    numbers.forEach((name, id) -> byId.put(id, name));
    queues.know(byId);
    known.putAll(numbers);
  }
}
