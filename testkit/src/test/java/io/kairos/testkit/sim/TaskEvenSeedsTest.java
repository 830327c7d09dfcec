package io.kairos.testkit.sim;

final class TaskEvenSeedsTest extends SimulatedSeeds {
  TaskEvenSeedsTest() {
    super(Subject.TASKS, true);
  }
}
