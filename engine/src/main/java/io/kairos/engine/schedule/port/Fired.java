package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.task.port.Receipt;
import java.util.List;
import java.util.Map;

/**
 * What was written.
 *
 * @param schedules how many were decided
 * @param entries of the ledger that are new
 * @param receipts of the tasks that were stored
 */
public record Fired(int schedules, List<LedgerEntry> entries, Map<TaskId, Receipt> receipts) {
  public static final Fired NOTHING = new Fired(0, List.of(), Map.of());

  public Fired {
    entries = List.copyOf(entries);
    receipts = Map.copyOf(receipts);
  }
}
