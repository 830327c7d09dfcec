package io.kairos.testkit.replica;

class SimulatedLogTest extends ReplicatedLogContract {
  @Override
  protected Replicas newReplicas() {
    return new SimulatedReplicas(1);
  }
}
