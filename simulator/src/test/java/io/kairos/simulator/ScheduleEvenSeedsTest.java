package io.kairos.simulator;

final class ScheduleEvenSeedsTest extends SimulatedSeeds {
  ScheduleEvenSeedsTest() {
    super(Subject.SCHEDULES, true);
  }
}
