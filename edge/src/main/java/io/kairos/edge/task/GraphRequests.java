package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.readingAll;
import static io.kairos.edge.refusal.InvalidField.require;

import io.kairos.api.v1.Predecessor;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.graph.TaskGraph;
import io.kairos.domain.task.graph.TaskGraph.Flaw;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.engine.task.edge.TaskSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reads what the tasks of a call wait for. An edge is named by its field: {@code tasks[1].after[0]}
 * in a batch, {@code after[0]} of a task alone.
 */
public final class GraphRequests {
  public static final WireEnum<OnFailure, Predecessor.OnFailure> ON_FAILURES =
      new WireEnum<>(OnFailure.class, Predecessor.OnFailure.class);

  private GraphRequests() {}

  static List<TaskSpec.After> after(ScheduleTaskRequest request) {
    return readingAll("after", request.getAfterList(), GraphRequests::after);
  }

  private static TaskSpec.After after(Predecessor given) {
    require(given.hasIndex() == given.getId().isEmpty(), "id", "either it or index must be given");
    OnFailure onFailure = ON_FAILURES.read("on_failure", given.getOnFailure(), OnFailure.FAIL);
    return new TaskSpec.After(
        given.hasIndex()
            ? new TaskGraph.Predecessor.Member(given.getIndex())
            : new TaskGraph.Predecessor.Stored(RequestFields.id("id", given.getId())),
        onFailure);
  }

  /**
   * Returns the tasks of a call.
   *
   * @param isBatch false for a task alone
   * @throws InvalidField when their edges are no graph
   */
  static List<TaskSpec> sound(List<TaskSpec> tasks, boolean isBatch) {
    if (tasks.stream().allMatch(task -> task.after().isEmpty())) {
      return tasks;
    }
    TaskSpec.graph(tasks)
        .flaw()
        .ifPresent(flaw -> {
          throw refusal(flaw, tasks, isBatch);
        });
    return tasks;
  }

  private static InvalidField refusal(Flaw flaw, List<TaskSpec> tasks, boolean isBatch) {
    return switch (flaw) {
      case Flaw.TooManyEdges(int edges) ->
          new InvalidField(
              isBatch ? "tasks" : "after",
              "must have at most %,d predecessors in one call, and %,d are given"
                  .formatted(TaskGraph.MOST_EDGES, edges));
      case Flaw.NoSuchTask(int edge, _) ->
          new InvalidField(
              field(tasks, isBatch, edge) + ".index",
              isBatch
                  ? "must be the position of a task of the call, 0 to " + (tasks.size() - 1)
                  : "is for tasks of BatchScheduleTasks: give the id of a task");
      case Flaw.Repeated(int edge, int earlier) ->
          new InvalidField(
              field(tasks, isBatch, edge),
              "must not name the same task as " + field(tasks, isBatch, earlier));
      case Flaw.Cycle(int edge, List<Integer> members) ->
          new InvalidField(
              field(tasks, isBatch, edge),
              members.size() == 1
                  ? "must not name the task itself"
                  : "must not close a cycle: tasks "
                      + members.stream().map(String::valueOf).collect(Collectors.joining(", "))
                      + " wait for each other");
    };
  }

  /** The field of an edge, which is the nth of all edges of the call. */
  static String field(List<TaskSpec> tasks, boolean isBatch, int edge) {
    int before = 0;
    for (int i = 0; i < tasks.size(); i++) {
      int own = tasks.get(i).after().size();
      if (edge < before + own) {
        return (isBatch ? "tasks[" + i + "]." : "") + "after[" + (edge - before) + "]";
      }
      before += own;
    }
    throw new IllegalStateException("there are no so many edges: " + edge);
  }

  /** The stored tasks that are waited for, each with the index of its first edge. */
  static Map<TaskId, Integer> stored(List<TaskSpec> tasks) {
    Map<TaskId, Integer> stored = new LinkedHashMap<>();
    List<TaskGraph.Edge> edges = TaskSpec.graph(tasks).edges();
    for (int i = 0; i < edges.size(); i++) {
      if (edges.get(i).predecessor() instanceof TaskGraph.Predecessor.Stored(TaskId id)) {
        stored.putIfAbsent(id, i);
      }
    }
    return stored;
  }
}
