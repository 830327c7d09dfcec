package io.kairos.client.schedule;

import io.kairos.client.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A decision about a fire time, or about a range of fire times that were decided alike.
 *
 * @param fireTime the fire time; for a range the first, for a trigger the time of the call
 * @param until the last fire time of a range; null for a single fire time
 * @param count number of fire times in a range; null when they were not counted, and for a single
 *     fire time
 * @param reason why the fire time was skipped; null when it fired
 * @param requestId request id of a trigger or backfill; else empty
 * @param late time from the fire time to the decision
 * @param runAt when the task was due
 * @param executionId id of the task or message; null when the fire time was skipped
 * @param explanation the decision in one sentence
 */
public record Fire(
    Instant fireTime,
    @Nullable Instant until,
    @Nullable Long count,
    Decision decision,
    @Nullable Reason reason,
    Cause cause,
    String requestId,
    Instant decidedAt,
    Duration late,
    Instant runAt,
    @Nullable TaskId executionId,
    String explanation) {

  /** The decision about a fire time. */
  public enum Decision {
    FIRED,
    SKIPPED,
    /** A value that this version of the client does not know. */
    OTHER
  }

  /** Why a fire time was skipped. */
  public enum Reason {
    /** A previous run was unfinished. */
    OVERLAP,
    /** The schedule was paused. */
    PAUSED,
    /** The fire time was missed, and the catch-up mode is NONE. */
    CATCH_UP_NONE,
    /** The fire time was missed, and a later one fired in its place. */
    SUPERSEDED,
    /** The fire time was missed by more than the catch-up window. */
    OUTSIDE_WINDOW,
    /** More fire times were missed than the catch-up maximum. */
    CAP,
    /** A business calendar excludes the fire time. */
    CALENDAR,
    /** The local time did not exist, because clocks went forward. */
    DST_GAP,
    /** The local time existed twice, because clocks went back, and this was the second. */
    DST_OVERLAP,
    /** Another fire was already waiting for a previous run. */
    BUFFER_FULL,
    /** A value that this version of the client does not know. */
    OTHER
  }

  /** What caused a fire. */
  public enum Cause {
    /** The rule of the schedule. */
    SCHEDULE,
    TRIGGER,
    BACKFILL,
    /** A value that this version of the client does not know. */
    OTHER
  }
}
