package io.kairos.domain.schedule.recurrence;

import io.kairos.domain.schedule.local.Civil;
import io.kairos.domain.schedule.local.LocalRule;

/** A recurrence by hours, minutes or seconds of the wall clock. */
final class TimeRecurrence implements LocalRule {
  private static final long FAR = Civil.CYCLE_YEARS * 366L * Civil.SECONDS_PER_DAY;

  /**
   * Places that a search may look at; a rule that needs more is as good as one that never fires.
   */
  private static final int MOST_LOOKS = 100_000;

  private final Parts parts;
  private final DayFilter filter;
  private final long unit;

  TimeRecurrence(Parts parts) {
    this.parts = parts;
    this.filter = new DayFilter(parts);
    this.unit = parts.frequency().seconds();
  }

  @Override
  public long nextAtOrAfter(long localSecond) {
    long at = Math.max(localSecond, parts.start());
    long end = at + FAR;
    for (int looks = 0; looks < MOST_LOOKS && at < end && at <= parts.until(); looks++) {
      long day = Civil.epochDayOf(at);
      long possible = filter.skipMonths(day);
      int time =
          possible == day && filter.names(day)
              ? parts.times().nextAtOrAfter(Civil.secondOfDay(at))
              : -1;
      if (time < 0) {
        at = Math.max(possible, day + 1) * Civil.SECONDS_PER_DAY;
        continue;
      }
      long found = day * Civil.SECONDS_PER_DAY + time;
      long first = Math.floorDiv(parts.start(), unit);
      long missing = Math.floorMod(first - Math.floorDiv(found, unit), (long) parts.interval());
      if (missing == 0) {
        return found <= parts.until() ? found : NEVER;
      }
      at = (Math.floorDiv(found, unit) + missing) * unit;
    }
    return NEVER;
  }
}
