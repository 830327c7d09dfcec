package io.kairos.domain.schedule.cron;

import java.util.stream.IntStream;

/**
 * Numbers from one to another by steps, beyond the greatest at the least again: one item of a list,
 * as it was written.
 *
 * @param open written without an end, such as {@code *}, {@code *}{@code /5} or {@code 3/5}: an
 *     interval rather than certain times
 */
record Span(FieldDomain domain, int from, int to, int step, boolean open) {
  private static final int MOST_NAMED = 6;

  static Span all(FieldDomain domain) {
    return new Span(domain, domain.min(), domain.last(), 1, true);
  }

  static Span of(FieldDomain domain, int number) {
    return new Span(domain, number, number, 1, false);
  }

  /** The values within, in the order in which they are written. */
  IntStream values() {
    int reach = to - from + (to < from ? domain.size() : 0);
    return IntStream.rangeClosed(0, reach / step).map(i -> domain.valueAt(from, i * step));
  }

  /** Only of fields whose values are below 64. */
  long bits() {
    return values().mapToLong(value -> 1L << value).reduce(0, (a, b) -> a | b);
  }

  boolean isSingle() {
    return from == to;
  }

  /** Whether it has more values than one would name one by one. */
  boolean isLong() {
    return values().count() > MOST_NAMED;
  }

  boolean isAll() {
    return open && step == 1 && from == domain.min();
  }
}
