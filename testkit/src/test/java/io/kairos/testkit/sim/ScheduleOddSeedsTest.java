package io.kairos.testkit.sim;

final class ScheduleOddSeedsTest extends SimulatedSeeds {
  ScheduleOddSeedsTest() {
    super(Subject.SCHEDULES, false);
  }
}
