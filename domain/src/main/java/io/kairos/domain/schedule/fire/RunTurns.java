package io.kairos.domain.schedule.fire;

import static java.util.stream.Collectors.toSet;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.OnFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Edges by which runs of several tasks follow each other: a run waits for all unfinished tasks of
 * all earlier runs, however they end. For those of the run before alone it would wait in vain: they
 * may be cancelled, or miss their deadline, while that run waits itself. Pure.
 */
public final class RunTurns {
  private RunTurns() {}

  /**
   * Returns the edges between runs. They lead to the tasks of a run that might begin without the
   * success of another one of it, and so to the first task; the others follow these.
   *
   * @param tasks tasks of new runs, run after run in their order
   * @param steps the edges within the new runs
   * @param before the unfinished tasks that all of these runs wait for
   */
  public static List<GraphEdge> edges(
      List<TaskId> tasks, List<GraphEdge> steps, Collection<TaskId> before) {
    Set<TaskId> followers =
        steps.stream()
            .filter(edge -> edge.onFailure() != OnFailure.CONTINUE)
            .map(GraphEdge::successor)
            .collect(toSet());
    List<GraphEdge> edges = new ArrayList<>();
    List<TaskId> earlier = new ArrayList<>(before);
    for (List<TaskId> run : runs(tasks)) {
      for (TaskId task : run) {
        if (!followers.contains(task)) {
          earlier.forEach(one -> edges.add(new GraphEdge(one, task, OnFailure.CONTINUE)));
        }
      }
      earlier.addAll(run);
    }
    return edges;
  }

  private static Collection<List<TaskId>> runs(List<TaskId> tasks) {
    Map<TaskId, List<TaskId>> runs = new LinkedHashMap<>();
    tasks.forEach(
        task -> runs.computeIfAbsent(ExecutionIds.first(task), _ -> new ArrayList<>()).add(task));
    return runs.values();
  }

  /**
   * The last id of the runs of several tasks: single tasks wait by edges for those up to it alone.
   *
   * @param tasks tasks of new runs of several tasks
   * @param turn that of the earlier ones; null for none
   */
  public static TaskId last(Collection<TaskId> tasks, @Nullable TaskId turn) {
    TaskId last = ExecutionIds.first(Collections.max(tasks));
    return turn == null || last.compareTo(turn) > 0 ? last : turn;
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
