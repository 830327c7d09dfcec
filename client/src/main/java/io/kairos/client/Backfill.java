package io.kairos.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Fire times of the past that are to fire.
 *
 * @param from the first that counts
 * @param to the last
 * @param requestId so that the call can be repeated; null for one of the client's
 * @param overlap how the tasks stand to each other; null for the node's choice, one after the other
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
   * What it did.
   *
   * @param fired fire times that made a task
   * @param skipped fire times that made none; the ledger has the reasons
   * @param duplicates fire times that the same request had decided before
   */
  public record Result(long fired, long skipped, long duplicates, String requestId) {}
}
