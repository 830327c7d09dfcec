package io.kairos.engine.task;

import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.memory.TaskQueues;
import io.kairos.engine.task.port.QueueNumberStore;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the store's numbers of queues. Numbers never change; {@link #refresh} finds the queues
 * that other nodes create, and those that are retired because they hold nothing. Thread-safe.
 */
final class QueueNumbers {
  private final QueueNumberStore store;
  private final TaskQueues queues;
  private final MonotonicClock monotonic;
  private final long refreshNanos;
  private final Map<QueueName, QueueId> known = new ConcurrentHashMap<>();

  /** Makers that had as many queues as they may have when they wanted another one. */
  private final Set<QueueMaker> exhausted = ConcurrentHashMap.newKeySet();

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
   * The known numbers of these queues, after creating or reading those of new names in the store
   * unless the number of queues has reached its bound.
   */
  Map<QueueName, QueueId> of(Collection<QueueName> names, @Nullable QueueMaker maker) {
    Set<QueueName> fresh = new HashSet<>(names);
    fresh.removeAll(known.keySet());
    if (!fresh.isEmpty() && known.size() < QueueNumberStore.MOST_QUEUES && !isExhausted(maker)) {
      Map<QueueName, QueueId> numbers = store.queues(fresh, maker);
      learn(numbers);
      if (maker != null
          && numbers.size() < fresh.size()
          && store.queuesOf(maker) >= QueueMaker.MOST_QUEUES) {
        exhausted.add(maker);
      }
    }
    Map<QueueName, QueueId> found = new HashMap<>();
    for (QueueName name : names) {
      QueueId number = known.get(name);
      if (number != null) {
        found.put(name, number);
      }
    }
    return found;
  }

  /** Has the numbers of these queues read again, because one of them was retired. */
  void forget(Collection<QueueName> names) {
    known.keySet().removeAll(names);
    exhausted.clear(); // what a maker has had already is taken back all the same
  }

  /** True when the queue is new and there are as many as there, or its maker, may have. */
  boolean isTooMany(QueueName name, @Nullable QueueMaker maker) {
    return !known.containsKey(name)
        && (known.size() >= QueueNumberStore.MOST_QUEUES || isExhausted(maker));
  }

  private boolean isExhausted(@Nullable QueueMaker maker) {
    return maker != null && exhausted.contains(maker);
  }

  /**
   * Makes the next refresh read the store, because other nodes may have created queues. May be
   * called by any thread.
   */
  void expectNew() {
    stale = true;
  }

  /** Reads the queues from the store if the last read is old. Called by one thread. */
  void refresh() {
    long now = monotonic.nanos();
    if (!stale && now - refreshedAtNanos < refreshNanos) {
      return;
    }
    stale = false;
    exhausted.clear();
    boolean read = false;
    try {
      Map<QueueName, QueueId> all = new HashMap<>();
      store.queues().forEach((id, name) -> all.put(name, id));
      learn(all);
      known.keySet().retainAll(all.keySet());
      queues.forgetOthers(Set.copyOf(all.values()));
      queues.beFair(store.fairQueues());
      queues.readFairly(store.isReadFairly());
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
