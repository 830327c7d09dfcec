package io.kairos.testkit.replica;

final class ReplicaEvenSeedsTest extends ReplicaSeeds {
  ReplicaEvenSeedsTest() {
    super(true);
  }
}
