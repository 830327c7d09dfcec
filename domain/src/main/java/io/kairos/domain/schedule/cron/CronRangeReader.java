package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.text.StableHash;
import java.util.Locale;

/**
 * Reads spans of one field: {@code *}, {@code a}, {@code a-b}, {@code H}, {@code a~b}, with steps.
 */
record CronRangeReader(FieldScan scan, FieldDomain domain, long seed) {
  /** The last day that every month has: a hashed day must not be one that may be missing. */
  private static final int ALWAYS_THERE = 28;

  /** Reads a whole item. */
  CronRange span() {
    if (scan.accept('*')) {
      return openFrom(domain.min());
    }
    if (scan.isNext('H')) {
      return hashed();
    }
    if (scan.isNext('~')) {
      return tilde(domain.min());
    }
    return spanFrom(scan.position(), scan.value(domain));
  }

  /** Reads the rest of an item whose first value, which began at {@code start}, has been read. */
  CronRange spanFrom(int start, int first) {
    if (scan.isNext('~')) {
      return tilde(first);
    }
    if (scan.accept('-')) {
      int last = scan.value(domain);
      if (last < first && !domain.wraps()) {
        throw scan.refused(domain, start, "a range that goes up, as years do not begin again");
      }
      return new CronRange(domain, first, last, step(), false);
    }
    return scan.isNext('/') ? openFrom(first) : CronRange.of(domain, first);
  }

  private CronRange openFrom(int first) {
    return new CronRange(domain, first, domain.last(), step(), true);
  }

  private int step() {
    return step(domain.max() - domain.min() + (domain.min() == 0 ? 0 : 1));
  }

  /** Reads a step, at least 1, at most the field's greatest number. */
  private int step(int most) {
    if (!scan.accept('/')) {
      return 1;
    }
    return scan.number(domain, 1, most, String.format(Locale.ROOT, "a step of 1 to %d", most));
  }

  /** {@code H}, {@code H(a-b)}, {@code H/n}, {@code H(a-b)/n}. */
  private CronRange hashed() {
    int start = scan.position();
    scan.accept('H');
    if (!scan.accept('(')) {
      return chosen(start, domain.min(), domain.last(), false);
    }
    int first = scan.value(domain);
    if (!scan.accept('-')) {
      throw scan.refused(domain, start, "H(a-b)");
    }
    int last = scan.value(domain);
    if (!scan.accept(')')) {
      throw scan.refused(domain, start, "H(a-b)");
    }
    return chosen(start, first, last, true);
  }

  /** {@code ~}, {@code a~}, {@code ~b}, {@code a~b}, as in OpenBSD and cronie. */
  private CronRange tilde(int first) {
    int start = scan.position();
    scan.accept('~');
    boolean bounded = scan.startsValue();
    int last = bounded ? scan.value(domain) : domain.last();
    return chosen(start, first, last, bounded || first != domain.min());
  }

  private CronRange chosen(int start, int first, int last, boolean bounded) {
    if (last < first) {
      throw scan.refused(domain, start, "a range that goes up, to choose from");
    }
    if (domain.equals(FieldDomain.YEAR)) {
      throw scan.refused(domain, start, domain.allowed() + ", and no year left to chance");
    }
    if (scan.isNext('/')) {
      int step = step(last - first + 1);
      return new CronRange(domain, between(first, first + step - 1), last, step, true);
    }
    boolean mayBeMissing = domain.equals(FieldDomain.DAY_OF_MONTH) && !bounded;
    return CronRange.of(domain, between(first, mayBeMissing ? ALWAYS_THERE : last));
  }

  /**
   * Returns the value of {@code H} or {@code ~}: for each field a number that depends on the
   * schedule's name alone, so that a thousand schedules do not all fire at minute 0.
   */
  private int between(int from, int to) {
    long hash = StableHash.with(seed, domain.index() + 1L);
    return from + (int) Long.remainderUnsigned(hash, to - from + 1);
  }
}
