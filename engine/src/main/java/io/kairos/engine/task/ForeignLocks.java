package io.kairos.engine.task;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Queues, idempotency keys and ordering keys on which this node waited in vain within the last
 * second, because another transaction had locked them. A request that needs the same lock is
 * refused at once: waiting again would delay all requests of its batch. Used by one thread. Bounded
 * by the number of waits that fit into a second.
 */
final class ForeignLocks {
  private static final long REMEMBERED_NANOS = Duration.ofSeconds(1).toNanos();

  private final MonotonicClock monotonic;
  private final Deque<Found> found = new ArrayDeque<>();

  /** Names of which at least one was locked. */
  private record Found(Set<Object> names, long atNanos) {}

  private record IdempotencyName(TaskHandler handler, String key) {}

  private record KeyName(TaskHandler handler, OrderingKey key) {}

  ForeignLocks(MonotonicClock monotonic) {
    this.monotonic = monotonic;
  }

  void queue(QueueName queue) {
    note(Set.of(queue));
  }

  void keys(List<TaskSpec> request) {
    note(keysOf(request));
  }

  private void note(Set<Object> names) {
    if (!names.isEmpty()) {
      found.add(new Found(names, monotonic.nanos()));
    }
  }

  void forgetOld() {
    long now = monotonic.nanos();
    while (!found.isEmpty() && now - found.getFirst().atNanos >= REMEMBERED_NANOS) {
      found.removeFirst();
    }
  }

  /** True when all names of some failed wait are in the request, so that the locked name is too. */
  boolean concern(List<TaskSpec> request) {
    if (found.isEmpty()) {
      return false;
    }
    Set<Object> names = keysOf(request);
    request.forEach(spec -> names.add(spec.queue()));
    return found.stream().anyMatch(one -> names.containsAll(one.names));
  }

  private static Set<Object> keysOf(List<TaskSpec> request) {
    Set<Object> names = new HashSet<>();
    for (TaskSpec spec : request) {
      TaskHandler handler = spec.queue().handler();
      TaskIdempotency idempotency = spec.idempotency();
      if (idempotency != null) {
        names.add(new IdempotencyName(handler, idempotency.storedKey()));
      }
      OrderingKey key = spec.details().key();
      if (key != null) {
        names.add(new KeyName(handler, key));
      }
    }
    return names;
  }
}
