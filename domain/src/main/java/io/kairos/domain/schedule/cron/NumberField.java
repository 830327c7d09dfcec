package io.kairos.domain.schedule.cron;

import java.util.List;

/** A field of numbers as it was written; not of days, which know more. */
record NumberField(FieldDomain domain, List<Span> spans) {
  static NumberField of(FieldDomain domain, int number) {
    return new NumberField(domain, List.of(Span.of(domain, number)));
  }

  static NumberField all(FieldDomain domain) {
    return new NumberField(domain, List.of(Span.all(domain)));
  }

  long bits() {
    return spans.stream().mapToLong(Span::bits).reduce(0, (a, b) -> a | b);
  }

  boolean isAll() {
    return spans.size() == 1 && spans.getFirst().isAll();
  }

  boolean isInterval() {
    return spans.stream().anyMatch(Span::open);
  }

  /** Whether it is this number and no other. */
  boolean isOnly(int number) {
    return spans.size() == 1 && spans.getFirst().isSingle() && spans.getFirst().from() == number;
  }

  /** Every value once, in order. */
  List<Integer> values() {
    return spans.stream().flatMap(span -> span.values().boxed()).sorted().distinct().toList();
  }
}
