package io.kairos.testkit.sim;

final class TaskOddSeedsTest extends SimulatedSeeds {
  TaskOddSeedsTest() {
    super(Subject.TASKS, false);
  }
}
