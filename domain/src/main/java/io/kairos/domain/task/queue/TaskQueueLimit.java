package io.kairos.domain.task.queue;

import static io.kairos.domain.check.ArgumentCheck.require;

import org.jspecify.annotations.Nullable;

/**
 * The limit of a queue over all nodes.
 *
 * @param maxRunning the most tasks that workers perform at a time; null for no bound, 0 for none
 * @param perSecond the most starts per second; null for no bound
 * @param burst the most starts at once after a pause; null for those of one second
 */
public record TaskQueueLimit(
    @Nullable Integer maxRunning, @Nullable Double perSecond, @Nullable Integer burst) {
  /** The limit of a queue for which none was set. */
  public static final TaskQueueLimit NONE = new TaskQueueLimit(null, null, null);

  /** Throws {@link IllegalArgumentException} that names what is out of range. */
  public TaskQueueLimit {
    require(maxRunning == null || maxRunning >= 0, "max_running must not be negative");
    require(
        perSecond == null || (perSecond > 0 && perSecond <= 1_000_000),
        "per_second must be greater than 0 and at most 1,000,000");
    require(
        burst == null || (perSecond != null && burst >= 1),
        "burst must be at least 1 and needs per_second");
  }

  /** Returns true if there is no bound. */
  public boolean isNone() {
    return maxRunning == null && perSecond == null;
  }

  /** Returns how many tasks may start at once; only with a rate. */
  public int size() {
    return burst != null ? burst : (int) Math.ceil(perSecond == null ? 1 : perSecond);
  }
}
