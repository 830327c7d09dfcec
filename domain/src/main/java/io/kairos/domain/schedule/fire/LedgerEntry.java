package io.kairos.domain.schedule.fire;

import io.kairos.domain.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The decision on one fire time, or on a range of fire times that were decided alike. Identified
 * for ever by schedule, fire time and request.
 *
 * @param request the id of the trigger or backfill; empty for the rule's own fire times
 * @param until the last fire time of a range; equals {@code fireAt} for a single one
 * @param count the number of fire times; null when they were not counted
 * @param reason null when fired
 * @param runAt when the run is due; null when skipped
 * @param run its execution id; null when skipped
 */
public record LedgerEntry(
    Instant fireAt,
    String request,
    Instant until,
    @Nullable Long count,
    FireDecision decision,
    @Nullable SkipCause reason,
    FireCause cause,
    Instant decidedAt,
    @Nullable Instant runAt,
    @Nullable TaskId run) {
  static LedgerEntry range(Instant first, Instant last, SkipCause reason, Instant now) {
    Long count = first.equals(last) ? 1L : null;
    return new LedgerEntry(
        first, "", last, count, FireDecision.SKIPPED, reason, FireCause.SCHEDULE, now, null, null);
  }

  LedgerEntry decidedAt(Instant time) {
    return new LedgerEntry(
        fireAt, request, until, count, decision, reason, cause, time, runAt, run);
  }

  public boolean isFired() {
    return decision == FireDecision.FIRED;
  }

  /** Returns how long after its fire time the decision was made. */
  public Duration late() {
    Duration late = Duration.between(until, decidedAt);
    return late.isNegative() ? Duration.ZERO : late;
  }
}
