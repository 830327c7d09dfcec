package io.kairos.domain.schedule.cron;

import java.util.List;

/** A field of numbers as it was written; the fields of days have types of their own. */
record NumberField(List<CronRange> spans) {
  long bits() {
    return spans.stream().mapToLong(CronRange::bits).reduce(0, (a, b) -> a | b);
  }

  boolean isAll() {
    return spans.size() == 1 && spans.getFirst().isAll();
  }

  boolean isInterval() {
    return spans.stream().anyMatch(CronRange::open);
  }

  /** Returns true if the field is this number and no other. */
  boolean isOnly(int number) {
    return spans.size() == 1 && spans.getFirst().isSingle() && spans.getFirst().from() == number;
  }

  /** Returns every value once, in order. */
  List<Integer> values() {
    return spans.stream().flatMap(span -> span.values().boxed()).sorted().distinct().toList();
  }
}
