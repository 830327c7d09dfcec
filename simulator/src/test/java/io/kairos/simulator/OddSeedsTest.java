package io.kairos.simulator;

final class OddSeedsTest extends SimulatedSeeds {
  OddSeedsTest() {
    super(Subject.DELAY_QUEUE, false);
  }
}
