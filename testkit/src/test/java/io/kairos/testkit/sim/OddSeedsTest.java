package io.kairos.testkit.sim;

final class OddSeedsTest extends SimulatedSeeds {
  OddSeedsTest() {
    super(false);
  }
}
