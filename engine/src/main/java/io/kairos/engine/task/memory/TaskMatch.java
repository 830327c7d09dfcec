package io.kairos.engine.task.memory;

import io.kairos.domain.task.fairness.FairTurns.Charge;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.Predecessors;
import io.kairos.engine.task.port.TaskClaim;
import org.jspecify.annotations.Nullable;

/**
 * A task for a worker, not yet claimed.
 *
 * @param openings the queue's number of openings when the task was taken out
 * @param passedOver how often the queue had been passed over until then
 * @param turn what the task was charged; null for nothing
 */
public record TaskMatch(
    WaitingWorkers.Waiter waiter,
    ReadyQueue queue,
    int openings,
    long passedOver,
    EnqueuedTask task,
    @Nullable Charge turn) {
  /** A match of the task that was just taken out of the queue. */
  TaskMatch(WaitingWorkers.Waiter waiter, ReadyQueue queue, EnqueuedTask task) {
    this(waiter, queue, queue.openings(), queue.passedOver, task, queue.lastTurn());
  }

  public TaskClaim claim() {
    return new TaskClaim(
        task.task(),
        queue.id,
        waiter.request.worker(),
        task.keyId(),
        waiter.request.caller(),
        !task.details().limits().isNone());
  }

  public QueueName queueName() {
    return queue.name;
  }

  /** The task as the worker gets it after the claim. */
  public ClaimedTask work() {
    return work(Predecessors.NONE);
  }

  /** The task as the worker gets it after the claim, with what it has waited for. */
  ClaimedTask work(Predecessors predecessors) {
    return new ClaimedTask(
        task.task().next(),
        queue.name,
        task.attempt() + 1,
        task.dueMicros(),
        task.details(),
        predecessors);
  }
}
