package io.kairos.domain.schedule.fire;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.OnFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Edges by which runs of several tasks follow each other: the first task of a run waits for all
 * tasks of the run before it, however they end. Pure.
 */
public final class RunTurns {
  private RunTurns() {}

  /**
   * Returns the edges between runs.
   *
   * @param tasks tasks of new runs, run after run in their order
   * @param before the unfinished tasks that the first of these runs waits for
   */
  public static List<GraphEdge> edges(List<TaskId> tasks, Collection<TaskId> before) {
    List<GraphEdge> edges = new ArrayList<>();
    Collection<TaskId> former = before;
    for (List<TaskId> run : runs(tasks)) {
      for (TaskId predecessor : former) {
        edges.add(new GraphEdge(predecessor, run.getFirst(), OnFailure.CONTINUE));
      }
      former = run;
    }
    return edges;
  }

  private static Collection<List<TaskId>> runs(List<TaskId> tasks) {
    Map<TaskId, List<TaskId>> runs = new LinkedHashMap<>();
    tasks.forEach(
        task -> runs.computeIfAbsent(ExecutionIds.first(task), _ -> new ArrayList<>()).add(task));
    runs.values().forEach(run -> run.sort(null));
    return runs.values();
  }

  /**
   * True for an edge between two runs of a schedule. Such an edge does not join them to one graph:
   * to cancel or to show one run leaves out the others, and no results go along it.
   */
  public static boolean isTurn(GraphEdge edge) {
    return ExecutionIds.isOfSchedule(edge.predecessor())
        && ExecutionIds.isOfSchedule(edge.successor())
        && !ExecutionIds.areOfOneRun(edge.predecessor(), edge.successor());
  }
}
