package io.kairos.engine.schedule.port;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.fire.FireDecision;
import io.kairos.domain.schedule.fire.SkipCause;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query for decisions.
 *
 * @param from the earliest fire time to list; null for all. An entry for a range of fire times is
 *     listed by the beginning of its range
 * @param to the latest fire time to list; null for all
 * @param decisions empty for all
 * @param reasons empty for all
 * @param before lists only entries after this position; null for the first
 * @param limit most entries
 */
public record LedgerQuery(
    ScheduleId schedule,
    @Nullable Instant from,
    @Nullable Instant to,
    Set<FireDecision> decisions,
    Set<SkipCause> reasons,
    @Nullable PageStart before,
    int limit) {
  public LedgerQuery {
    decisions = Set.copyOf(decisions);
    reasons = Set.copyOf(reasons);
    require(limit >= 1, "a list needs a limit");
  }

  /** An entry's position in the list. */
  public record PageStart(Instant fireAt, String request) {}

  /** A query for the latest decisions on a schedule. */
  public static LedgerQuery latest(ScheduleId schedule, int limit) {
    return new LedgerQuery(schedule, null, null, Set.of(), Set.of(), null, limit);
  }
}
