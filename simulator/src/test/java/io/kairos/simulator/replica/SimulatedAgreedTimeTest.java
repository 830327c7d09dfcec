package io.kairos.simulator.replica;

import io.kairos.contracts.AgreedTimeContract;
import io.kairos.contracts.ReplicatedLogContract.Replicas;
import io.kairos.domain.replica.ReplicaGroup;

class SimulatedAgreedTimeTest extends AgreedTimeContract {
  @Override
  protected Replicas newReplicas() {
    return new SimulatedReplicas(1);
  }

  @Override
  protected ReplicaGroup cluster() {
    return new ReplicaGroup(3, ReplicaGroup.Faults.CRASH);
  }
}
