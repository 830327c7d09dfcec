package io.kairos.domain.task;

import org.jspecify.annotations.Nullable;

/**
 * How much of a queue may go on over all nodes.
 *
 * @param maxRunning tasks that workers perform at a time; null for as many as they can, 0 for none
 * @param perSecond starts; null for as often as they can
 * @param burst how many may start at once after a pause; null for what a second allows
 */
public record QueueLimit(
    @Nullable Integer maxRunning, @Nullable Double perSecond, @Nullable Integer burst) {
  /** What a queue has of which nothing was set. */
  public static final QueueLimit NONE = new QueueLimit(null, null, null);

  /** Throws {@link IllegalArgumentException} that names what is out of range. */
  public QueueLimit {
    require(maxRunning == null || maxRunning >= 0, "max_running must not be negative");
    require(
        perSecond == null || (perSecond > 0 && perSecond <= 1_000_000),
        "per_second must be greater than 0 and at most 1,000,000");
    require(
        burst == null || (perSecond != null && burst >= 1),
        "burst must be at least 1 and needs per_second");
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  /** Whether it limits nothing. */
  public boolean isNone() {
    return maxRunning == null && perSecond == null;
  }

  /** How many may start at once; only with a rate. */
  public int size() {
    return burst != null ? burst : (int) Math.ceil(perSecond == null ? 1 : perSecond);
  }
}
