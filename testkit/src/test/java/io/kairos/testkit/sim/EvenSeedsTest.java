package io.kairos.testkit.sim;

final class EvenSeedsTest extends SimulatedSeeds {
  EvenSeedsTest() {
    super(true);
  }
}
