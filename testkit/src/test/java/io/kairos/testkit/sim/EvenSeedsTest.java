package io.kairos.testkit.sim;

final class EvenSeedsTest extends SimulatedSeeds {
  EvenSeedsTest() {
    super(Subject.DELAY_QUEUE, true);
  }
}
