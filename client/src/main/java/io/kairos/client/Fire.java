package io.kairos.client;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was decided about a fire time, or about a range of them that were decided alike.
 *
 * @param fireTime of a range the first; of a trigger when it was called
 * @param until the last of a range; null for a single one
 * @param count how many a range has; null when they were not counted, and for a single one
 * @param reason why it was skipped; null when it fired
 * @param requestId of a trigger or backfill; else empty
 * @param late from the fire time to the decision
 * @param runAt when the task was due
 * @param executionId the task or message; null when it was skipped
 * @param explanation the whole in a sentence
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

  /** Whether it made a task. */
  public enum Decision {
    FIRED,
    SKIPPED,
    /** One that this version of the client does not know. */
    OTHER
  }

  /** Why it made none. */
  public enum Reason {
    /** A former run was unfinished. */
    OVERLAP,
    /** The schedule was paused. */
    PAUSED,
    /** It was missed, and nothing is caught up. */
    CATCH_UP_NONE,
    /** It was missed, and a later one fired in its place. */
    SUPERSEDED,
    /** It was missed by more than the catch-up window. */
    OUTSIDE_WINDOW,
    /** It was missed with more than catch-up makes at once. */
    CAP,
    /** The business calendar excludes it. */
    CALENDAR,
    /** Its local time did not exist. */
    DST_GAP,
    /** Its local time existed twice, and this was the second. */
    DST_OVERLAP,
    /** Another fire was waiting for a former run. */
    BUFFER_FULL,
    /** One that this version of the client does not know. */
    OTHER
  }

  /** What asked for it. */
  public enum Cause {
    /** The rule. */
    SCHEDULE,
    TRIGGER,
    BACKFILL,
    /** One that this version of the client does not know. */
    OTHER
  }
}
