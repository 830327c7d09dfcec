package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.TaskHandler;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of one handler that have failed or are dead, and whose latest failures have one
 * fingerprint.
 *
 * @param fingerprint empty for failures that were stored by an earlier version
 * @param errorClass that of the latest; empty for none
 * @param error that of the latest
 * @param samples the latest, at most {@link #MOST_SAMPLES}
 * @param byHour how many ended in each of the last {@link #HOURS} hours, the latest last
 */
public record FailureGroup(
    TaskHandler handler,
    String fingerprint,
    String errorClass,
    String error,
    int count,
    Instant firstEndedAt,
    Instant lastEndedAt,
    List<TaskId> samples,
    List<Integer> byHour) {
  /** Groups are found among so many tasks that ended last. */
  public static final int MOST_EXAMINED = 100_000;

  public static final int MOST_SAMPLES = 5;
  public static final int HOURS = 24;

  public FailureGroup {
    samples = List.copyOf(samples);
    byHour = List.copyOf(byHour);
  }

  /**
   * A query for groups, the one with the latest end first.
   *
   * @param handler null for all
   * @param endedFromMicros only tasks that ended then or later, microseconds since 1970; null for
   *     all
   * @param limit at most this many groups
   */
  public record Query(@Nullable TaskHandler handler, @Nullable Long endedFromMicros, int limit) {}

  /**
   * The groups that were found.
   *
   * @param isIncomplete true when there are more groups, or more tasks than were examined
   */
  public record Listing(List<FailureGroup> groups, boolean isIncomplete) {
    public Listing {
      groups = List.copyOf(groups);
    }
  }
}
