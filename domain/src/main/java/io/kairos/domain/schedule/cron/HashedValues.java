package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.text.StableHash;

/**
 * The values of {@code H} and {@code ~}: for each field a number that depends on the schedule's
 * name alone, so that a thousand schedules do not all fire at minute 0.
 */
record HashedValues(long seed) {
  static HashedValues of(String seed) {
    return new HashedValues(StableHash.of(seed));
  }

  /** Returns a number from {@code from} to {@code to}, both included. */
  int between(FieldDomain domain, int from, int to) {
    long hash = StableHash.with(seed, domain.index() + 1L);
    return from + (int) Long.remainderUnsigned(hash, to - from + 1);
  }
}
