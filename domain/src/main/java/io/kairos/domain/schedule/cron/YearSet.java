package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.local.Bits;
import io.kairos.domain.schedule.local.Civil;

/** Years of an expression: all there are, or some of {@value #FIRST} to {@value #LAST}. */
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

  /** Beyond this year a search from the given one finds nothing that it has not found before. */
  int lastWorthLooking(int year) {
    return all ? Math.min(Civil.LAST_YEAR, year + Civil.CYCLE_YEARS) : LAST;
  }

  /** The first year not before {@code year}, or -1. */
  int nextAtOrAfter(int year) {
    if (all) {
      return year;
    }
    int from = Math.max(0, year - FIRST);
    for (int word = from / Long.SIZE; word < bits.length; word++) {
      int first = Math.max(0, from - word * Long.SIZE);
      int next = Bits.nextAtOrAfter(bits[word], first);
      if (next >= 0) {
        return FIRST + word * Long.SIZE + next;
      }
    }
    return -1;
  }
}
