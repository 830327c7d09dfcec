package io.kairos.engine.cron.entry;

import io.kairos.domain.schedule.definition.ScheduleName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule that has an entry because the replicas decide it.
 *
 * @param next due time of its entry; null from a fire until the next due time is reported
 * @param changedAt sequence of the tick of its last fire, or of the request that reported its due
 *     time, whichever is later; 0 if both were before the tables were built
 */
public record DecidedSchedule(ScheduleName name, @Nullable Instant next, long changedAt) {
  public boolean isWaiting() {
    return next == null;
  }
}
