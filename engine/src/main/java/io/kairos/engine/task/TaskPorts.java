package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.loop.Wakeups;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.task.port.Bell;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.time.Monotonic;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Everything that the tasks of a node need from outside.
 *
 * @param life the id under which the node may act at present; empty while it may not
 * @param newTaskId a fresh id for a task that is accepted now
 * @param chance uniform in [0, 1), spreads retries
 * @param bell between the nodes; {@link Bell#NONE} for nodes that only poll
 */
public record TaskPorts(
    TaskStore tasks,
    LivenessStore liveness,
    Supplier<Optional<NodeId>> life,
    InstantSource clock,
    Monotonic monotonic,
    Wakeups wakeups,
    Supplier<TaskId> newTaskId,
    DoubleSupplier chance,
    TaskEvents events,
    Bell bell) {
  /** Of a node that only polls. */
  public TaskPorts(
      TaskStore tasks,
      LivenessStore liveness,
      Supplier<Optional<NodeId>> life,
      InstantSource clock,
      Monotonic monotonic,
      Wakeups wakeups,
      Supplier<TaskId> newTaskId,
      DoubleSupplier chance,
      TaskEvents events) {
    this(tasks, liveness, life, clock, monotonic, wakeups, newTaskId, chance, events, Bell.NONE);
  }
}
