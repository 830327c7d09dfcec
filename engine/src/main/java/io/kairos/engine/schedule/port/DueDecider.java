package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.definition.ScheduleName;
import java.time.Instant;
import java.util.List;

/**
 * Decides due schedules. Called within the store's transaction; must be quick and must not call the
 * store.
 */
@FunctionalInterface
public interface DueDecider {
  /**
   * Decides schedules.
   *
   * @param now the store's time
   * @return the writes, in the order of the schedules; a schedule without a write stays as it is
   */
  List<ScheduleWrite> decide(List<DueSchedule> due, Instant now);

  /** A due schedule cannot be read and has been put off. */
  default void unreadable(ScheduleName schedule, RuntimeException why) {}
}
