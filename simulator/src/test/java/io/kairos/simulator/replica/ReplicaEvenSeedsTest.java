package io.kairos.simulator.replica;

final class ReplicaEvenSeedsTest extends ReplicaSeeds {
  ReplicaEvenSeedsTest() {
    super(true);
  }
}
