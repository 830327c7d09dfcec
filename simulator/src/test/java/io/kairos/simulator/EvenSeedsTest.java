package io.kairos.simulator;

final class EvenSeedsTest extends SimulatedSeeds {
  EvenSeedsTest() {
    super(Subject.DELAY_QUEUE, true);
  }
}
