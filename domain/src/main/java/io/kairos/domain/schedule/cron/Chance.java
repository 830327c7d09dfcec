package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.text.StableHash;

/**
 * What {@code H} and {@code ~} stand for: for each field a number that depends on the schedule's
 * name alone, so that a thousand schedules do not all fire at minute 0.
 */
record Chance(long seed) {
  static Chance of(String seed) {
    return new Chance(StableHash.of(seed));
  }

  /** A number from {@code from} to {@code to}, both included. */
  int between(FieldDomain domain, int from, int to) {
    long hash = StableHash.with(seed, domain.index() + 1L);
    return from + (int) Long.remainderUnsigned(hash, to - from + 1);
  }
}
