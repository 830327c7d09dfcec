package io.kairos.testkit.replica;

final class ReplicaOddSeedsTest extends ReplicaSeeds {
  ReplicaOddSeedsTest() {
    super(false);
  }
}
