package io.kairos.server.edge.task;

import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.task.TaskEdge;
import io.kairos.server.edge.refusal.Refusals;
import io.kairos.server.push.PoolEdge;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The node's tasks, delay queue, schedules and pools, as soon as there are any: the edge listens
 * before that.
 */
public record ReadyNode(
    Supplier<Optional<TaskEdge>> tasks,
    Supplier<Optional<MessageEdge>> messages,
    Supplier<Optional<ScheduleEdge>> schedules,
    Supplier<Optional<PoolEdge>> pools) {
  /** Refuses while the node is not ready. */
  public TaskEdge get() {
    return tasks.get().orElseThrow(Refusals::notReady);
  }

  /** The same for what goes to topics. */
  public MessageEdge getMessages() {
    return messages.get().orElseThrow(Refusals::notReady);
  }

  /** The same for what fires again and again. */
  public ScheduleEdge getSchedules() {
    return schedules.get().orElseThrow(Refusals::notReady);
  }

  /** The same for what goes to pools. */
  PoolEdge getPools() {
    return pools.get().orElseThrow(Refusals::notReady);
  }
}
