package io.kairos.simulator;

final class TaskEvenSeedsTest extends SimulatedSeeds {
  TaskEvenSeedsTest() {
    super(Subject.TASKS, true);
  }
}
