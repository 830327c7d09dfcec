package io.kairos.engine.cluster;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one kind of work in a period.
 *
 * @param begun attempts that workers began, or sends that the broker has answered
 * @param ended tasks that an attempt ended, or messages that the broker acknowledged
 * @param oldestOverdue how long the oldest is overdue that nobody has begun; null for none
 */
public record WorkFigures(
    long accepted,
    long begun,
    long ended,
    LatenessCounts lateness,
    @Nullable Duration oldestOverdue) {
  /** Nothing was done. */
  public static final WorkFigures NONE = new WorkFigures(0, 0, 0, LatenessCounts.NONE, null);

  /** The sum of two nodes. Each knows the oldest of all nodes, or of its own memory. */
  public WorkFigures plus(WorkFigures other) {
    return new WorkFigures(
        accepted + other.accepted,
        begun + other.begun,
        ended + other.ended,
        lateness.plus(other.lateness),
        longest(oldestOverdue, other.oldestOverdue));
  }

  /** The longer one; null when both are. */
  static @Nullable Duration longest(@Nullable Duration one, @Nullable Duration other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) >= 0 ? one : other;
  }
}
