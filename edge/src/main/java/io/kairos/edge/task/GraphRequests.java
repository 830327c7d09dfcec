package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.readingAll;
import static io.kairos.edge.refusal.InvalidField.require;

import io.kairos.api.v1.Predecessor;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.batch.BatchId;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    boolean hasId = !given.getId().isEmpty();
    boolean hasBatch = !given.getBatch().isEmpty();
    require(
        Stream.of(given.hasIndex(), hasId, hasBatch).filter(one -> one).count() == 1,
        "id",
        "either it, index or batch must be given");
    OnFailure onFailure = ON_FAILURES.read("on_failure", given.getOnFailure(), OnFailure.FAIL);
    return new TaskSpec.After(predecessor(given, hasId), onFailure);
  }

  private static TaskGraph.Predecessor predecessor(Predecessor given, boolean hasId) {
    if (given.hasIndex()) {
      return new TaskGraph.Predecessor.Member(given.getIndex());
    }
    return hasId
        ? new TaskGraph.Predecessor.Stored(RequestFields.id("id", given.getId()))
        : new TaskGraph.Predecessor.OfBatch(RequestFields.batchId("batch", given.getBatch()));
  }

  /** The batch that a task joins, which must not be one that it waits for; null for none. */
  static @Nullable BatchId batch(ScheduleTaskRequest request, List<TaskSpec.After> after) {
    if (request.getBatch().isEmpty()) {
      return null;
    }
    BatchId batch = RequestFields.batchId("batch", request.getBatch());
    for (int i = 0; i < after.size(); i++) {
      require(
          !after.get(i).predecessor().equals(new TaskGraph.Predecessor.OfBatch(batch)),
          "after[" + i + "].batch",
          "must not be the batch of the task itself, which would wait for its own end");
    }
    return batch;
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

  /** The field of what an edge names by its id. */
  static String idField(List<TaskSpec> tasks, boolean isBatch, int edge) {
    boolean isOfBatch =
        TaskSpec.graph(tasks).edges().get(edge).predecessor()
            instanceof TaskGraph.Predecessor.OfBatch;
    return field(tasks, isBatch, edge) + (isOfBatch ? ".batch" : ".id");
  }

  /** The stored tasks and batches that are waited for, each with the index of its first edge. */
  static Map<TaskId, Integer> stored(List<TaskSpec> tasks) {
    Map<TaskId, Integer> stored = new LinkedHashMap<>();
    List<TaskGraph.Edge> edges = TaskSpec.graph(tasks).edges();
    for (int i = 0; i < edges.size(); i++) {
      switch (edges.get(i).predecessor()) {
        case TaskGraph.Predecessor.Stored(TaskId id) -> stored.putIfAbsent(id, i);
        case TaskGraph.Predecessor.OfBatch(BatchId id) -> stored.putIfAbsent(id.asPredecessor(), i);
        case TaskGraph.Predecessor.Member _ -> {}
      }
    }
    return stored;
  }
}
