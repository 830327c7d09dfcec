package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.fire.DecidedBy;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Status;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which schedules to list.
 *
 * @param prefix of the names; empty for all
 * @param after only those whose name follows; null for the first
 * @param statuses empty for all
 * @param decider null for any
 */
public record ScheduleQuery(
    String prefix,
    @Nullable ScheduleName after,
    Set<Status> statuses,
    @Nullable DecidedBy decider,
    int limit) {
  public ScheduleQuery {
    statuses = Set.copyOf(statuses);
    if (limit < 1) {
      throw new IllegalArgumentException("a list needs a limit");
    }
  }
}
