package io.kairos.testkit.sim;

final class OddSeedsTest extends SimulatedSeeds {
  OddSeedsTest() {
    super(Subject.DELAY_QUEUE, false);
  }
}
