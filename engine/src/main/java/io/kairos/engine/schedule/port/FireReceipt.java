package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.task.port.TaskReceipt;
import java.util.List;
import java.util.Map;

/**
 * The result of writing decisions.
 *
 * @param schedules number of decided schedules
 * @param entries new ledger entries
 * @param receipts receipts of the stored tasks
 */
public record FireReceipt(
    int schedules, List<LedgerEntry> entries, Map<TaskId, TaskReceipt> receipts) {
  public static final FireReceipt NOTHING = new FireReceipt(0, List.of(), Map.of());

  public FireReceipt {
    entries = List.copyOf(entries);
    receipts = Map.copyOf(receipts);
  }
}
