package io.kairos.engine.schedule.port;

import java.time.Instant;
import java.util.Optional;

/**
 * Decides a change of one schedule. Called within the store's transaction, like {@link DueDecider}.
 */
@FunctionalInterface
public interface ScheduleChange {
  /**
   * Decides the change.
   *
   * @param now the store's time
   * @return the write; empty to leave the schedule as it is
   */
  Optional<ScheduleWrite> decide(DueSchedule due, Instant now);
}
