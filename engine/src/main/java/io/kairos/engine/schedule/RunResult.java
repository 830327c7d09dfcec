package io.kairos.engine.schedule;

import io.kairos.domain.schedule.fire.LedgerEntry;
import java.util.List;

/** The result of a request to run a schedule. */
public sealed interface RunResult {
  /**
   * The runs were decided.
   *
   * @param entries the ledger entries of the runs
   * @param known true when an earlier call with this request id had decided them
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
