package io.kairos.engine.task;

import io.kairos.domain.task.Idempotency;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What transactions of others have kept from this node within the last second: queues, idempotency
 * keys and ordering keys that they have not yet committed. Who asks for the same is told so at
 * once; to wait for it again would hold up everybody who is accepted with him. One thread; holds as
 * many as can be waited for in a second.
 */
final class Obstructions {
  private static final long REMEMBERED_NANOS = Duration.ofSeconds(1).toNanos();

  private final Monotonic monotonic;
  private final Deque<Found> found = new ArrayDeque<>();

  /** Of these names one at least was held. */
  private record Found(Set<Object> names, long atNanos) {}

  private record IdempotencyName(TaskHandler handler, String key) {}

  private record KeyName(TaskHandler handler, OrderingKey key) {}

  Obstructions(Monotonic monotonic) {
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

  /** Whether it names all of what one was held of: whatever that was, it is among them. */
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
      Idempotency idempotency = spec.idempotency();
      if (idempotency != null) {
        names.add(new IdempotencyName(handler, idempotency.key()));
      }
      OrderingKey key = spec.details().key();
      if (key != null) {
        names.add(new KeyName(handler, key));
      }
    }
    return names;
  }
}
