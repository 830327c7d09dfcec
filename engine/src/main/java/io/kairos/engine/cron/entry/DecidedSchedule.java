package io.kairos.engine.cron.entry;

import io.kairos.domain.schedule.definition.ScheduleName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule that has an entry because the replicas decide it.
 *
 * @param next when its entry is due; null while it waits to be told, which it does from its fire on
 * @param changedAt place in the log of the tick at which it fired, or of the request that told its
 *     time, whichever was later; 0 if that was before the tables were made
 */
public record DecidedSchedule(ScheduleName name, @Nullable Instant next, long changedAt) {
  public boolean isWaiting() {
    return next == null;
  }
}
