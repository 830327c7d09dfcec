package io.kairos.engine.schedule.port;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleName;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query for schedules.
 *
 * @param prefix prefix of their names; empty for all
 * @param after lists only names that follow; null for the first
 * @param statuses empty for all
 * @param decider null for any
 */
public record ScheduleFilter(
    String prefix,
    @Nullable ScheduleName after,
    Set<FiringStatus> statuses,
    @Nullable ScheduleDecider decider,
    int limit) {
  public ScheduleFilter {
    statuses = Set.copyOf(statuses);
    require(limit >= 1, "a list needs a limit");
  }
}
