package io.kairos.engine.schedule.port;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.schedule.fire.ScheduleDecision;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.engine.task.port.ArrivingTask;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision on one schedule to be written. The store first cancels unfinished tasks if the verdict
 * says so, and then stores the tasks and messages whose ledger entry is new; their id is the
 * entry's run, or that of a further task of the run.
 *
 * @param edges edges between the tasks of each run
 * @param inTurn true if runs follow each other: then runs of several tasks wait for all tasks of
 *     the run before, see {@link io.kairos.domain.schedule.fire.RunTurns}, also of one that was
 *     stored earlier
 * @param timeZoneRules version of the time zone rules by which the schedule's progress was
 *     computed; null when the progress is unchanged, as for requested runs
 * @param remove true to remove the schedule itself; its ledger stays until it is pruned
 */
public record ScheduleWrite(
    ScheduleDecision verdict,
    List<ArrivingTask> tasks,
    List<GraphEdge> edges,
    boolean inTurn,
    List<DelayedMessage> messages,
    @Nullable String timeZoneRules,
    boolean remove) {
  /** Makes the write of a schedule whose runs have one task or message each. */
  public ScheduleWrite(
      ScheduleDecision verdict,
      List<ArrivingTask> tasks,
      List<DelayedMessage> messages,
      @Nullable String timeZoneRules,
      boolean remove) {
    this(verdict, tasks, List.of(), false, messages, timeZoneRules, remove);
  }

  public ScheduleWrite {
    tasks = List.copyOf(tasks);
    edges = List.copyOf(edges);
    messages = List.copyOf(messages);
  }
}
