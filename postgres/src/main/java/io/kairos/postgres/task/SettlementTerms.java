package io.kairos.postgres.task;

import org.jspecify.annotations.Nullable;

/**
 * Which attempts settlements may end.
 *
 * @param believedMicros the time by which execution timeouts have passed, if they have by the
 *     store's clock as well
 * @param onlyLapsed true for attempts whose lease has lapsed by both clocks; false for those that
 *     workers report
 */
record SettlementTerms(long believedMicros, boolean onlyLapsed) {
  static SettlementTerms reported(long believedMicros) {
    return new SettlementTerms(believedMicros, false);
  }

  static SettlementTerms lapsed(long believedMicros) {
    return new SettlementTerms(believedMicros, true);
  }

  /** The time by which leases have lapsed; null if they need not have. */
  @Nullable Long lapsedBy() {
    return onlyLapsed ? believedMicros : null;
  }
}
