package io.kairos.engine.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.port.operator.QueueNumberStore;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cache of the store's numbers of queues. Numbers never change; {@link #refresh} finds the queues
 * that other nodes create. Thread-safe.
 */
final class QueueNumbers {
  private final QueueNumberStore store;
  private final TaskQueues queues;
  private final MonotonicClock monotonic;
  private final long refreshNanos;
  private final Map<QueueName, QueueId> known = new ConcurrentHashMap<>();
  private long refreshedAtNanos;

  /** True when nothing has been read yet, or other nodes may have created queues since. */
  private volatile boolean stale = true;

  QueueNumbers(
      QueueNumberStore store, TaskQueues queues, MonotonicClock monotonic, Duration refreshEvery) {
    this.store = store;
    this.queues = queues;
    this.monotonic = monotonic;
    this.refreshNanos = refreshEvery.toNanos();
  }

  /**
   * All known numbers, after creating or reading those of new names in the store unless the number
   * of queues has reached its bound.
   */
  Map<QueueName, QueueId> of(Collection<QueueName> names) {
    Set<QueueName> fresh = new LinkedHashSet<>(names);
    fresh.removeAll(known.keySet());
    if (!fresh.isEmpty() && known.size() < QueueNumberStore.MOST_QUEUES) {
      learn(store.queues(fresh));
    }
    return known;
  }

  /** True when the queue is new and the number of queues has reached its bound. */
  boolean isTooMany(QueueName name) {
    return known.size() >= QueueNumberStore.MOST_QUEUES && !known.containsKey(name);
  }

  QueueId of(QueueName name) {
    return requireNonNull(known.get(name), "a queue without a number");
  }

  /**
   * Makes the next refresh read the store, because other nodes may have created queues. May be
   * called by any thread.
   */
  void expectNew() {
    stale = true;
  }

  /** Reads new queues from the store if the last read is old. Called by one thread. */
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
