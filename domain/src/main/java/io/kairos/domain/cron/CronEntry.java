package io.kairos.domain.cron;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * One entry of a cron table.
 *
 * @param position its place in the table, from 0; lower ones come first
 * @param scheduleNext notes the next time, before the action runs; null for none
 * @param onRemove clears what the entry has kept; null for none
 */
public record CronEntry(
    int position,
    EntryRule rule,
    CronAction action,
    @Nullable CronAction scheduleNext,
    @Nullable OnRemove onRemove) {
  /** Throws {@link IllegalArgumentException} for a negative position. */
  public CronEntry {
    requireNonNull(rule, "rule");
    requireNonNull(action, "action");
    require(position >= 0, "positions begin at 0, not at ", position);
  }

  public CronEntry(int position, EntryRule rule, CronAction action) {
    this(position, rule, action, null, null);
  }
}
