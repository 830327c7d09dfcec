package io.kairos.simulator;

final class ScheduleOddSeedsTest extends SimulatedSeeds {
  ScheduleOddSeedsTest() {
    super(Subject.SCHEDULES, false);
  }
}
