package io.kairos.engine.cluster;

import java.time.Instant;
import java.util.List;

/**
 * Counts of waiting work by its due time.
 *
 * @param bars in the order of their times; the first holds also what is overdue
 * @param tasks all that wait for their time or for another attempt, or for a worker
 * @param messages all that are stored
 */
public record WaitingCounts(
    List<Bar> bars, Count tasks, Count messages, Count overdueTasks, Count overdueMessages) {
  public WaitingCounts {
    bars = List.copyOf(bars);
  }

  /**
   * Counts of the work that is due within a time.
   *
   * @param at its begin
   * @param fires schedules of nodes whose next fire time is in it
   * @param isEstimated true when tasks or messages is an estimate
   */
  public record Bar(Instant at, long tasks, long messages, long fires, boolean isEstimated) {}

  /** A number, and whether it is an estimate. */
  public record Count(long count, boolean isEstimated) {
    /** The sum, which is an estimate when one of the two is. */
    public Count plus(Count other) {
      return new Count(count + other.count, isEstimated || other.isEstimated);
    }
  }
}
