package io.kairos.engine.schedule;

import io.kairos.domain.schedule.fire.LedgerEntry;
import java.util.List;

/** What became of a wish to run a schedule. */
public sealed interface RunResult {
  /**
   * Decided.
   *
   * @param entries of the ledger
   * @param known it had been decided before, by a call with the same request id
   */
  record Decided(List<LedgerEntry> entries, boolean known) implements RunResult {
    public Decided {
      entries = List.copyOf(entries);
    }
  }

  /** There is no such schedule. */
  record Unknown() implements RunResult {}

  /** The range has more fire times than can be run at once; nothing was done. */
  record TooMany(int most) implements RunResult {}

  /** The range ends in the future; nothing was done. */
  record NotPassed() implements RunResult {}
}
