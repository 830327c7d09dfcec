package io.kairos.engine.cron.entry;

import static io.kairos.domain.check.ArgumentCheck.isPlain;
import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.ComponentId;

/**
 * An entry of a cron table as clients define it.
 *
 * @param position place in the table, from 0 to {@value #LAST_POSITION}; lower ones come first
 * @param title for people, at most {@value #LONGEST_TITLE} characters; may be empty
 */
public record EntryDefinition(
    ComponentId component, int position, String title, EntryTiming when, EntryWork work) {
  /**
   * The bound on positions, by which the next times of all tables fit into the part of the state
   * that tables have.
   */
  public static final int LAST_POSITION = 99_999;

  public static final int LONGEST_TITLE = 120;

  /** Bound on the encoded entry, by which it fits into a reserved page with its counters. */
  public static final int MOST_BYTES = 4_000;

  /**
   * Throws {@link IllegalArgumentException} with the broken rule; for a cron expression a {@link
   * io.kairos.domain.schedule.text.RefusedExpressionException}, which has the position of the
   * fault.
   */
  public EntryDefinition {
    requireNonNull(component, "component");
    requireNonNull(when, "when");
    requireNonNull(work, "work");
    require(
        position >= 0 && position <= LAST_POSITION,
        "positions go from 0 to " + LAST_POSITION + ", unlike ",
        position);
    require(
        title.length() <= LONGEST_TITLE && isPlain(title),
        "a title has up to " + LONGEST_TITLE + " characters, and no control characters");
    if (when instanceof EntryTiming.Cron cron) {
      cron.fireTimes(component, position);
    }
    int bytes = EntryCodec.encode(component, position, title, when, work).length;
    require(bytes <= MOST_BYTES, "an entry has up to " + MOST_BYTES + " bytes in all, not ", bytes);
  }

  /** True if the entry acts only at ticks that have a time. */
  public boolean needsTime() {
    return work.needsTime() || when.needsTime();
  }
}
