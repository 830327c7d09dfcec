package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.local.CivilDays;
import io.kairos.domain.schedule.local.SmallNumberSets;

/** The years of an expression: all years, or some of {@value #FIRST} to {@value #LAST}. */
final class YearSet {
  static final int FIRST = 1970;
  static final int LAST = 2199;

  private final boolean all;
  private final long[] bits = new long[(LAST - FIRST) / Long.SIZE + 1];

  YearSet(NumberField years) {
    all = years.isAll();
    for (int year : years.values()) {
      bits[(year - FIRST) / Long.SIZE] |= 1L << ((year - FIRST) % Long.SIZE);
    }
  }

  /** Returns the year after which a search from the given one finds no new match. */
  int lastWorthLooking(int year) {
    return all ? Math.min(CivilDays.LAST_YEAR, year + CivilDays.CYCLE_YEARS) : LAST;
  }

  /** Returns the first year not before {@code year}, or -1. */
  int nextAtOrAfter(int year) {
    if (all) {
      return year;
    }
    int from = Math.max(0, year - FIRST);
    for (int word = from / Long.SIZE; word < bits.length; word++) {
      int first = Math.max(0, from - word * Long.SIZE);
      int next = SmallNumberSets.nextAtOrAfter(bits[word], first);
      if (next >= 0) {
        return FIRST + word * Long.SIZE + next;
      }
    }
    return -1;
  }
}
