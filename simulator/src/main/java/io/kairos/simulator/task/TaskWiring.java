package io.kairos.simulator.task;

import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.setup.TaskPorts;

/**
 * The assembly of a simulated node of tasks and its workers: as in production, or with a deliberate
 * fault that the checkers must find.
 */
public interface TaskWiring {
  TaskWiring PRODUCTION = new TaskWiring() {};

  /** Wraps the node's ports; calls through them take time and fail as usual. */
  default TaskPorts around(TaskPorts ports) {
    return ports;
  }

  /** Replaces the store; its methods are atomic steps. */
  default TaskStore tasks(TaskStore store) {
    return store;
  }

  default LivenessStore liveness(LivenessStore store) {
    return store;
  }

  /** True when workers take tasks by priority alone. */
  default boolean workersAreStrict() {
    return false;
  }

  /** True when tasks have the fairness keys that their callers gave them. */
  default boolean keysAreFair() {
    return true;
  }

  /** True when a worker ends an execution whose lease it is no longer sure of. */
  default boolean workersStopThemselves() {
    return true;
  }

  /** True when a worker whose handlers ask for it halts when one goes on without its lease. */
  default boolean workersHalt() {
    return true;
  }
}
