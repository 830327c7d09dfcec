package io.kairos.engine.task;

import io.kairos.engine.task.port.QueueNumberStore;
import io.kairos.engine.task.port.RetiredQueues;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;

/**
 * Forgets queues that hold nothing, so that names which were used once do not count for ever. A
 * queue is retired first. Nodes notice within a poll, and whoever needs it takes it back. It is
 * removed when it was still retired in the next round, and all that the store had begun by then has
 * ended in the round after that. Called by one loop of each node; safe to run on every node at
 * once.
 */
final class QueueForgetting {
  /** Longer than any statement of a node takes. */
  private static final Duration EVERY = Duration.ofMinutes(10);

  private final QueueNumberStore store;
  private final MonotonicClock monotonic;
  private long ranAtNanos;
  private RetiredQueues seen = RetiredQueues.NONE;
  private RetiredQueues ripe = RetiredQueues.NONE;

  QueueForgetting(QueueNumberStore store, MonotonicClock monotonic) {
    this.store = store;
    this.monotonic = monotonic;
    this.ranAtNanos = monotonic.nanos();
  }

  /** Does what it is time for; returns how many queues were removed. */
  int run() {
    long now = monotonic.nanos();
    if (now - ranAtNanos < EVERY.toNanos()) {
      return 0;
    }
    ranAtNanos = now;
    int forgotten = ripe.marks().isEmpty() ? 0 : store.forgetQueues(ripe);
    RetiredQueues retired = store.retireQueues();
    ripe = retired.since(seen);
    seen = retired;
    return forgotten;
  }
}
