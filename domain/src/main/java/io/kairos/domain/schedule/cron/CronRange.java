package io.kairos.domain.schedule.cron;

import java.util.stream.IntStream;

/**
 * Numbers from one to another by steps, which go on at the least after the greatest: one item of a
 * list, as it was written.
 *
 * @param open true if it was written without an end, such as {@code *}, {@code *}{@code /5} or
 *     {@code 3/5}: an interval rather than certain times
 */
record CronRange(FieldDomain domain, int from, int to, int step, boolean open) {
  private static final int MOST_NAMED = 6;

  static CronRange all(FieldDomain domain) {
    return new CronRange(domain, domain.min(), domain.last(), 1, true);
  }

  static CronRange of(FieldDomain domain, int number) {
    return new CronRange(domain, number, number, 1, false);
  }

  /** Returns the values, in the order in which they are written. */
  IntStream values() {
    int reach = to - from + (to < from ? domain.size() : 0);
    return IntStream.rangeClosed(0, reach / step).map(i -> domain.valueAt(from, i * step));
  }

  /** Returns the values as bits; only for fields whose values are below 64. */
  long bits() {
    return values().mapToLong(value -> 1L << value).reduce(0, (a, b) -> a | b);
  }

  boolean isSingle() {
    return from == to;
  }

  /** Returns true if it has too many values to name each. */
  boolean isLong() {
    return values().count() > MOST_NAMED;
  }

  boolean isAll() {
    return open && step == 1 && from == domain.min();
  }
}
