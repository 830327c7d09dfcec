package io.kairos.simulator.replica;

import io.kairos.contracts.ReplicatedLogContract;

class SimulatedLogTest extends ReplicatedLogContract {
  @Override
  protected Replicas newReplicas() {
    return new SimulatedReplicas(1);
  }
}
