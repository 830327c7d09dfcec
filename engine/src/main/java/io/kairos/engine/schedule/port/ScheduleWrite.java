package io.kairos.engine.schedule.port;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.schedule.fire.ScheduleDecision;
import io.kairos.engine.task.port.ArrivingTask;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision on one schedule to be written. The store first cancels unfinished tasks if the verdict
 * says so, and then stores the tasks and messages whose ledger entry is new; their id is the
 * entry's run.
 *
 * @param timeZoneRules version of the time zone rules by which the schedule's progress was
 *     computed; null when the progress is unchanged, as for requested runs
 * @param remove true to remove the schedule itself; its ledger stays until it is pruned
 */
public record ScheduleWrite(
    ScheduleDecision verdict,
    List<ArrivingTask> tasks,
    List<DelayedMessage> messages,
    @Nullable String timeZoneRules,
    boolean remove) {
  public ScheduleWrite {
    tasks = List.copyOf(tasks);
    messages = List.copyOf(messages);
  }
}
