package io.kairos.domain.schedule.fire;

import io.kairos.domain.schedule.definition.Schedule;
import java.time.Instant;
import java.util.List;

/**
 * Decisions on a schedule, which are written in one transaction.
 *
 * @param entries entries for the ledger; each that fired makes a run
 * @param cancelsOthers true if runs that have not ended are cancelled before the new run is made
 * @param after the schedule from then on
 */
public record ScheduleDecision(List<LedgerEntry> entries, boolean cancelsOthers, Schedule after) {
  public ScheduleDecision {
    entries = List.copyOf(entries);
  }

  /** Returns this decision with another decision time in the ledger. */
  public ScheduleDecision decidedAt(Instant time) {
    return new ScheduleDecision(
        entries.stream().map(entry -> entry.decidedAt(time)).toList(), cancelsOthers, after);
  }

  static ScheduleDecision of(Schedule after) {
    return new ScheduleDecision(List.of(), false, after);
  }
}
