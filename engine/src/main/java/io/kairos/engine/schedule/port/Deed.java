package io.kairos.engine.schedule.port;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.schedule.fire.Verdict;
import io.kairos.engine.task.port.Arrival;
import java.util.List;

/**
 * What is to be written of one schedule. First what has not ended is cancelled if the verdict says
 * so, then tasks and messages are stored whose ledger entry is new: their id is the entry's run.
 *
 * @param timeZoneRules by which version of them it was decided, and the next look found
 * @param remove the schedule itself is removed; its ledger stays until it is pruned
 */
public record Deed(
    Verdict verdict,
    List<Arrival> tasks,
    List<DelayedMessage> messages,
    String timeZoneRules,
    boolean remove) {
  public Deed {
    tasks = List.copyOf(tasks);
    messages = List.copyOf(messages);
  }
}
