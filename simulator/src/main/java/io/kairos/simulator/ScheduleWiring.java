package io.kairos.simulator;

import io.kairos.engine.schedule.SchedulePorts;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.testkit.task.ModelTaskStore;

/**
 * How the schedules of a simulated node are put together: as in production, or with something
 * broken on purpose, to show that the checkers find it.
 */
public interface ScheduleWiring {
  ScheduleWiring PRODUCTION = new ScheduleWiring() {};

  /** What stands between the node and its ports; calls through it take time and fail as usual. */
  default SchedulePorts around(SchedulePorts ports) {
    return ports;
  }

  /**
   * What stands for the store itself; its methods are atomic steps.
   *
   * @param tasks where it stores its runs
   */
  default ScheduleStore schedules(ScheduleStore store, ModelTaskStore tasks) {
    return store;
  }
}
