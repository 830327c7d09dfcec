package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.fire.Decision;
import io.kairos.domain.schedule.fire.Reason;
import io.kairos.domain.schedule.fire.ScheduleId;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which decisions to list.
 *
 * @param from of fire times not before it; null for all. A range that reaches into it is not listed
 *     when it begins before
 * @param to of fire times not after it; null for all
 * @param decisions empty for all
 * @param reasons empty for all
 * @param before only those that follow this one in the list; null for the first
 */
public record LedgerQuery(
    ScheduleId schedule,
    @Nullable Instant from,
    @Nullable Instant to,
    Set<Decision> decisions,
    Set<Reason> reasons,
    @Nullable Place before,
    int limit) {
  public LedgerQuery {
    decisions = Set.copyOf(decisions);
    reasons = Set.copyOf(reasons);
    if (limit < 1) {
      throw new IllegalArgumentException("a list needs a limit");
    }
  }

  /** Where an entry stands in the list. */
  public record Place(Instant fireAt, String request) {}

  /** The latest decisions on a schedule. */
  public static LedgerQuery latest(ScheduleId schedule, int limit) {
    return new LedgerQuery(schedule, null, null, Set.of(), Set.of(), null, limit);
  }
}
