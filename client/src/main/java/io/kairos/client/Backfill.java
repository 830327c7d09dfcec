package io.kairos.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request to fire a schedule for all fire times of a range in the past.
 *
 * @param schedule name of the schedule
 * @param from beginning of the range, inclusive
 * @param to end of the range, inclusive
 * @param requestId makes the call idempotent; null for an id that the client creates
 * @param overlap overlap policy of the tasks; null for the node's default, which runs them one
 *     after the other
 */
public record Backfill(
    String schedule,
    Instant from,
    Instant to,
    @Nullable String requestId,
    ScheduleSpec.@Nullable Overlap overlap) {
  public static Backfill of(String schedule, Instant from, Instant to) {
    return new Backfill(schedule, from, to, null, null);
  }

  public Backfill requestId(@Nullable String id) {
    return new Backfill(schedule, from, to, id, overlap);
  }

  public Backfill overlap(ScheduleSpec.@Nullable Overlap policy) {
    return new Backfill(schedule, from, to, requestId, policy);
  }

  /**
   * The result of a backfill.
   *
   * @param fired number of fire times that made a task
   * @param skipped number of fire times that were skipped; the ledger has the reasons
   * @param duplicates number of fire times that had been decided before with the same request id
   */
  public record Result(long fired, long skipped, long duplicates, String requestId) {}
}
