package io.kairos.engine.schedule.port;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.schedule.fire.Verdict;
import io.kairos.engine.task.port.Arrival;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be written of one schedule. First what has not ended is cancelled if the verdict says
 * so, then tasks and messages are stored whose ledger entry is new: their id is the entry's run.
 *
 * @param timeZoneRules by which version of them it was looked at, and the next look found; null
 *     when it was not, and only runs are made that somebody asked for
 * @param remove the schedule itself is removed; its ledger stays until it is pruned
 */
public record Deed(
    Verdict verdict,
    List<Arrival> tasks,
    List<DelayedMessage> messages,
    @Nullable String timeZoneRules,
    boolean remove) {
  public Deed {
    tasks = List.copyOf(tasks);
    messages = List.copyOf(messages);
  }
}
