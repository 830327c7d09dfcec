package io.kairos.simulator.replica;

final class ReplicaOddSeedsTest extends ReplicaSeeds {
  ReplicaOddSeedsTest() {
    super(false);
  }
}
