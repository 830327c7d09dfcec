package io.kairos.simulator.delay;

import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.setup.DelayPorts;
import io.kairos.engine.node.LivenessStore;
import io.kairos.model.delay.ModelDelayStore;

/**
 * The assembly of a simulated node: as in production, or with a deliberate fault that the checkers
 * must find.
 */
public interface DelayWiring {
  DelayWiring PRODUCTION = new DelayWiring() {};

  /** Wraps the node's ports; calls through them take time and fail as usual. */
  default DelayPorts around(DelayPorts ports) {
    return ports;
  }

  /** Replaces the store; its methods are atomic steps. */
  default MessageStore messages(ModelDelayStore store) {
    return store;
  }

  default AmendmentStore amendments(ModelDelayStore store) {
    return store;
  }

  default LivenessStore liveness(ModelDelayStore store) {
    return store;
  }
}
