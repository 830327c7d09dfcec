package io.kairos.hashgraph;

import io.kairos.contracts.AgreedTimeContract;
import io.kairos.contracts.ReplicatedLogContract.Replicas;
import io.kairos.domain.replica.ReplicaGroup;

class HashgraphAgreedTimeTest extends AgreedTimeContract {
  @Override
  protected Replicas newReplicas() {
    return new SimulatedHashgraphs(cluster().size(), 1);
  }

  @Override
  protected ReplicaGroup cluster() {
    return new ReplicaGroup(4, ReplicaGroup.Faults.BYZANTINE);
  }
}
