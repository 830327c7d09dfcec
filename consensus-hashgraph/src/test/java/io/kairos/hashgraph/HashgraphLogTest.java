package io.kairos.hashgraph;

import io.kairos.contracts.ReplicatedLogContract;

class HashgraphLogTest extends ReplicatedLogContract {
  @Override
  protected Replicas newReplicas() {
    return new SimulatedHashgraphs(size(), 1);
  }

  @Override
  protected int size() {
    return 4;
  }
}
