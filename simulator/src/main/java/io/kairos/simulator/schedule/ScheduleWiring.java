package io.kairos.simulator.schedule;

import io.kairos.engine.schedule.SchedulePorts;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.model.task.ModelTaskStore;

/**
 * The assembly of the schedules of a simulated node: as in production, or with a deliberate fault
 * that the checkers must find.
 */
public interface ScheduleWiring {
  ScheduleWiring PRODUCTION = new ScheduleWiring() {};

  /** Wraps the node's ports; calls through them take time and fail as usual. */
  default SchedulePorts around(SchedulePorts ports) {
    return ports;
  }

  /**
   * Replaces the store; its methods are atomic steps.
   *
   * @param tasks where it stores its runs
   */
  default ScheduleStore schedules(ScheduleStore store, ModelTaskStore tasks) {
    return store;
  }
}
