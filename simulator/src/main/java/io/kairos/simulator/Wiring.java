package io.kairos.simulator;

import io.kairos.engine.delay.Ports;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.node.LivenessStore;
import io.kairos.testkit.delay.ModelStore;

/**
 * How a simulated node is put together: as in production, or with something broken on purpose, to
 * show that the checkers find it.
 */
public interface Wiring {
  Wiring PRODUCTION = new Wiring() {};

  /** What stands between the node and its ports; calls through it take time and fail as usual. */
  default Ports around(Ports ports) {
    return ports;
  }

  /** What stands for the store itself; its methods are atomic steps. */
  default MessageStore messages(ModelStore store) {
    return store;
  }

  default AmendmentStore amendments(ModelStore store) {
    return store;
  }

  default LivenessStore liveness(ModelStore store) {
    return store;
  }
}
