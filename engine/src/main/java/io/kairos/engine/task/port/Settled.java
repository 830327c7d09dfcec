package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import java.util.Set;

/**
 * What a settlement did.
 *
 * @param tasks those that were settled
 * @param roomIn queues in which tasks may begin that could not before
 */
public record Settled(Set<FencedTask> tasks, Set<QueueId> roomIn) {
  public static final Settled NOTHING = new Settled(Set.of(), Set.of());

  public Settled {
    tasks = Set.copyOf(tasks);
    roomIn = Set.copyOf(roomIn);
  }
}
