package io.kairos.simulator;

final class TaskOddSeedsTest extends SimulatedSeeds {
  TaskOddSeedsTest() {
    super(Subject.TASKS, false);
  }
}
