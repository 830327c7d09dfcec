package io.kairos.domain.schedule.fire;

import java.time.Instant;
import java.util.List;

/**
 * What was decided: to be written in one transaction.
 *
 * @param entries for the ledger; each that fired makes a run
 * @param cancelsOthers whatever of the schedule has not ended is cancelled before the new run is
 *     made
 * @param after the schedule from then on
 */
public record Verdict(List<LedgerEntry> entries, boolean cancelsOthers, Schedule after) {
  public Verdict {
    entries = List.copyOf(entries);
  }

  /** The same, of which the ledger says that it was decided at that time. */
  public Verdict decidedAt(Instant time) {
    return new Verdict(
        entries.stream().map(entry -> entry.decidedAt(time)).toList(), cancelsOthers, after);
  }

  static Verdict of(Schedule after) {
    return new Verdict(List.of(), false, after);
  }
}
