package io.kairos.client.queue;

import io.kairos.client.task.TaskId;
import java.time.Instant;
import java.util.List;

/**
 * Failed and dead tasks of one handler whose latest errors are alike.
 *
 * @param fingerprint of the errors; empty for tasks that failed under an earlier version
 * @param errorClass of the latest; empty for none
 * @param error text of the latest
 * @param samples the latest tasks, at most 5
 * @param byHour how many ended in each of the last 24 hours, the latest last
 */
public record FailureGroup(
    String handler,
    String fingerprint,
    String errorClass,
    String error,
    long count,
    Instant firstEndedAt,
    Instant lastEndedAt,
    List<TaskId> samples,
    List<Long> byHour) {
  public FailureGroup {
    samples = List.copyOf(samples);
    byHour = List.copyOf(byHour);
  }

  /**
   * Groups, the one with the latest end first.
   *
   * @param isIncomplete true when there are more groups or more tasks than one call looks at:
   *     counts are lower bounds then
   */
  public record Listing(List<FailureGroup> groups, boolean isIncomplete) {
    public Listing {
      groups = List.copyOf(groups);
    }
  }
}
