package io.kairos.engine.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.domain.schedule.fire.ExecutionIds;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.TaskGraph;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.NewTask;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The further tasks of one run, and the edges between all of its tasks. Ids rise along the edges.
 *
 * @param tasks in the order of their ids
 */
public record RunSteps(List<ArrivingTask> tasks, List<GraphEdge> edges) {
  /** Makes the tasks of the steps of a run, which have its trace. */
  public static RunSteps of(DueSchedule due, LedgerEntry entry, @Nullable TraceContext trace) {
    ScheduleDefinition definition = due.schedule().definition();
    TaskGraph graph = definition.graph();
    TaskId run = requireNonNull(entry.run());
    List<Integer> order = graph.order();
    TaskId[] ids = new TaskId[order.size()];
    List<ArrivingTask> tasks = new ArrayList<>();
    for (int place = 0; place < ids.length; place++) {
      int member = order.get(place);
      ids[member] = ExecutionIds.task(run, place);
      if (member > 0) {
        tasks.add(
            ArrivingTask.withoutIdempotency(
                task(due, entry, member - 1, ids[member], trace), false));
      }
    }
    List<GraphEdge> edges = new ArrayList<>();
    for (TaskGraph.Edge edge : graph.edges()) {
      int predecessor = ((TaskGraph.Predecessor.Member) edge.predecessor()).index();
      edges.add(new GraphEdge(ids[predecessor], ids[edge.successor()], edge.onFailure()));
    }
    return new RunSteps(tasks, edges);
  }

  /** A start deadline is one for the beginning of the run, which the steps follow. */
  private static NewTask task(
      DueSchedule due, LedgerEntry entry, int nth, TaskId id, @Nullable TraceContext trace) {
    ScheduleStep step = due.schedule().definition().steps().get(nth);
    TaskDetails details = step.target().details();
    return new NewTask(
        id,
        due.stepQueues().get(nth),
        EpochMicros.of(requireNonNull(entry.runAt())),
        details.withPayload(RunCreation.payload(due, step.target(), entry)).withTraceContext(trace),
        due.schedule().id());
  }
}
