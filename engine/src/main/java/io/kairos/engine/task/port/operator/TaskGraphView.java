package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.GraphEdge;
import java.util.List;
import java.util.Map;

/**
 * A task and all tasks that are connected with it by edges, followed both ways: also those that
 * wait for the same task as it does.
 *
 * @param states the state of each task; a task that was removed from the history is absent
 * @param edges the edges between tasks of the view, in the order of their successors
 * @param hasMore true if there are more tasks or edges than were asked for
 */
public record TaskGraphView(Map<TaskId, TaskState> states, List<Edge> edges, boolean hasMore) {
  public TaskGraphView {
    states = Map.copyOf(states);
    edges = List.copyOf(edges);
  }

  /**
   * An edge.
   *
   * @param isOpen true while the successor waits for the predecessor, or has failed with it
   */
  public record Edge(GraphEdge edge, boolean isOpen) {}
}
