package io.kairos.client;

import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.task.OnFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * Tasks that wait for each other, to be scheduled by one call, all or none:
 *
 * <pre>{@code
 * Graph graph = new Graph();
 * Graph.Step load = graph.add(TaskRequest.to("load").build());
 * Graph.Step check = graph.add(TaskRequest.to("check").build()).after(load);
 * graph.add(TaskRequest.to("publish").build()).after(load, check);
 * List<TaskId> ids = client.schedule(graph.tasks());
 * }</pre>
 *
 * <p>At most 1,000 tasks. Tasks that were scheduled before are named by {@link
 * TaskRequest.Builder#after}. Not thread-safe.
 */
public final class Graph {
  private final List<TaskRequest> tasks = new ArrayList<>();

  /** A task of the graph. */
  public final class Step {
    private final int index;

    private Step(int index) {
      this.index = index;
    }

    private Graph graph() {
      return Graph.this;
    }

    /** The task begins only when all of these have succeeded, and fails with any of them. */
    public Step after(Step... predecessors) {
      for (Step predecessor : predecessors) {
        after(predecessor, OnFailure.FAIL);
      }
      return this;
    }

    /**
     * The task begins only when this one has ended.
     *
     * @param onFailure what becomes of the task when that one ends without success
     */
    public Step after(Step predecessor, OnFailure onFailure) {
      if (predecessor.graph() != Graph.this) {
        throw new InvalidRequestException("after", "must be a step of the same graph");
      }
      tasks.set(index, tasks.get(index).after(predecessor.index, onFailure));
      return this;
    }
  }

  /** Adds a task. */
  public Step add(TaskRequest task) {
    tasks.add(task);
    return new Step(tasks.size() - 1);
  }

  /** Returns the tasks in the order in which they were added, for one call of the client. */
  public List<TaskRequest> tasks() {
    return List.copyOf(tasks);
  }
}
