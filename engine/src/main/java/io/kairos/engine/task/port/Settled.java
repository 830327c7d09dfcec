package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import java.util.List;
import java.util.Set;

/**
 * What a settlement did.
 *
 * @param tasks those that were settled
 * @param roomIn queues in which tasks may begin that could not before, and wait for being enqueued
 * @param enqueued those that follow them in their keys, on the queues of the node that asked
 */
public record Settled(Set<FencedTask> tasks, Set<QueueId> roomIn, List<EnqueuedTask> enqueued) {
  public static final Settled NOTHING = new Settled(Set.of(), Set.of());

  public Settled {
    tasks = Set.copyOf(tasks);
    roomIn = Set.copyOf(roomIn);
    enqueued = List.copyOf(enqueued);
  }

  /** One that enqueued nothing. */
  public Settled(Set<FencedTask> tasks, Set<QueueId> roomIn) {
    this(tasks, roomIn, List.of());
  }
}
