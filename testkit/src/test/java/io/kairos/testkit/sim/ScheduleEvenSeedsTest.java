package io.kairos.testkit.sim;

final class ScheduleEvenSeedsTest extends SimulatedSeeds {
  ScheduleEvenSeedsTest() {
    super(Subject.SCHEDULES, true);
  }
}
