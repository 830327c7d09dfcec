package io.kairos.engine.task;

import io.kairos.engine.task.port.Claim;
import io.kairos.engine.task.port.EnqueuedTask;

/**
 * A task for a worker, not yet claimed.
 *
 * @param openings how often its queue had been opened when the task was taken out
 */
record Match(Waiters.Waiter waiter, ReadyQueue queue, int openings, EnqueuedTask task) {
  Match(Waiters.Waiter waiter, ReadyQueue queue, EnqueuedTask task) {
    this(waiter, queue, queue.openings(), task);
  }

  Claim claim() {
    return new Claim(task.task(), queue.id, waiter.request.worker(), task.keyId());
  }

  /** As the worker gets it once it is claimed. */
  Work work() {
    return new Work(
        task.task().next(), queue.name, task.attempt() + 1, task.dueMicros(), task.details());
  }
}
