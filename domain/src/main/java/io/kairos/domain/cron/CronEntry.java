package io.kairos.domain.cron;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A line of a cron table (CC-2).
 *
 * @param position its place in the table, from 0; lower ones come first
 * @param scheduleNext null if nothing is to be noted
 * @param onRemove null if nothing is to be cleared
 */
public record CronEntry(
    int position,
    Rule rule,
    Action action,
    @Nullable ScheduleNext scheduleNext,
    @Nullable OnRemove onRemove) {
  /** Throws {@link IllegalArgumentException} for a negative position. */
  public CronEntry {
    requireNonNull(rule, "rule");
    requireNonNull(action, "action");
    if (position < 0) {
      throw new IllegalArgumentException("positions begin at 0, not at " + position);
    }
  }

  public CronEntry(int position, Rule rule, Action action) {
    this(position, rule, action, null, null);
  }
}
