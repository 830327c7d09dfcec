package io.kairos.simulator;

import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.task.TaskPorts;
import io.kairos.engine.task.port.TaskStore;

/**
 * How a simulated node of tasks and its workers are put together: as in production, or with
 * something broken on purpose, to show that the checkers find it.
 */
public interface TaskWiring {
  TaskWiring PRODUCTION = new TaskWiring() {};

  /** What stands between the node and its ports; calls through it take time and fail as usual. */
  default TaskPorts around(TaskPorts ports) {
    return ports;
  }

  /** What stands for the store itself; its methods are atomic steps. */
  default TaskStore tasks(TaskStore store) {
    return store;
  }

  default LivenessStore liveness(LivenessStore store) {
    return store;
  }

  /** Whether a worker ends an execution when it no longer knows of its lease (DA-22). */
  default boolean workersStopThemselves() {
    return true;
  }
}
