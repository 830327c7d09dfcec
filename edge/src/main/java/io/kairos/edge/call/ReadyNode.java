package io.kairos.edge.call;

import io.kairos.edge.refusal.CallRefusals;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.pool.PoolEdge;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.task.edge.TaskEdge;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The node's tasks, delay queue, schedules and pools. They are empty until the node has started,
 * because the edge listens earlier; every method refuses the call until then.
 */
public record ReadyNode(
    Supplier<Optional<TaskEdge>> tasks,
    Supplier<Optional<MessageEdge>> messages,
    Supplier<Optional<ScheduleEdge>> schedules,
    Supplier<Optional<PoolEdge>> pools) {
  /** The engine of tasks. */
  public TaskEdge get() {
    return tasks.get().orElseThrow(CallRefusals::notReady);
  }

  /** The delay queue. */
  public MessageEdge getMessages() {
    return messages.get().orElseThrow(CallRefusals::notReady);
  }

  /** The schedules. */
  public ScheduleEdge getSchedules() {
    return schedules.get().orElseThrow(CallRefusals::notReady);
  }

  /** The pools. */
  public PoolEdge getPools() {
    return pools.get().orElseThrow(CallRefusals::notReady);
  }
}
