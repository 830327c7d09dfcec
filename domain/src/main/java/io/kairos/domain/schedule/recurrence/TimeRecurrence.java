package io.kairos.domain.schedule.recurrence;

import io.kairos.domain.schedule.local.CivilDays;
import io.kairos.domain.schedule.local.LocalRule;

/** A recurrence by hours, minutes or seconds of the wall clock. */
final class TimeRecurrence implements LocalRule {
  private static final long FAR = CivilDays.CYCLE_YEARS * 366L * CivilDays.SECONDS_PER_DAY;

  /** The most steps of a search; a rule that needs more counts as one that never fires. */
  private static final int MOST_LOOKS = 100_000;

  private final RecurrenceParts parts;
  private final DayFilter filter;
  private final long unit;

  TimeRecurrence(RecurrenceParts parts) {
    this.parts = parts;
    this.filter = new DayFilter(parts);
    this.unit = parts.frequency().seconds();
  }

  @Override
  public long nextAtOrAfter(long localSecond) {
    long at = Math.max(localSecond, parts.start());
    long end = at + FAR;
    for (int looks = 0; looks < MOST_LOOKS && at < end && at <= parts.until(); looks++) {
      long day = CivilDays.epochDayOf(at);
      long possible = filter.skipMonths(day);
      int time =
          possible == day && filter.names(day)
              ? parts.times().nextAtOrAfter(CivilDays.secondOfDay(at))
              : -1;
      if (time < 0) {
        at = Math.max(possible, day + 1) * CivilDays.SECONDS_PER_DAY;
        continue;
      }
      long found = day * CivilDays.SECONDS_PER_DAY + time;
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
