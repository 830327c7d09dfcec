package io.kairos.engine.task.setup;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.loop.WakeupFactory;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.task.port.DueNotifier;
import io.kairos.engine.task.port.TaskStepStore;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.TaskOperatorStore;
import io.kairos.engine.time.MonotonicClock;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Ports of a node's tasks.
 *
 * @param life the id under which the node may act at present; empty while it may not
 * @param newTaskId new ids for accepted tasks
 * @param chance random numbers, uniform in [0, 1), for the jitter of retries
 * @param bell notifications between the nodes; {@link DueNotifier#NONE} for nodes that only poll
 */
public record TaskPorts(
    TaskStore store,
    LivenessStore liveness,
    Supplier<Optional<NodeId>> life,
    InstantSource clock,
    MonotonicClock monotonic,
    WakeupFactory wakeups,
    Supplier<TaskId> newTaskId,
    DoubleSupplier chance,
    TaskEvents events,
    DueNotifier bell) {
  /** The part of the store that the steps use. */
  public TaskStepStore tasks() {
    return store;
  }

  /** The part of the store that operators and edge calls use. */
  public TaskOperatorStore operators() {
    return store;
  }
}
