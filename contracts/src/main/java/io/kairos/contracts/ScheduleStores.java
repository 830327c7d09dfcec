package io.kairos.contracts;

import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.task.port.TaskStore;
import java.time.Duration;
import java.time.Instant;

/** A schedule store as a contract suite needs it, with the stores of its tasks and messages. */
public interface ScheduleStores {
  ScheduleStore schedules();

  TaskStore tasks();

  /** Number of stored delayed messages. */
  long messages();

  /** The store's own clock, exact to a few seconds: suites keep minutes of distance from it. */
  Instant now();

  /** Makes all that is stored that much older, without waiting. */
  void letPass(Duration duration);
}
