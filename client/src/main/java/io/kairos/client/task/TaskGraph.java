package io.kairos.client.task;

import java.util.List;

/**
 * Tasks that wait for each other.
 *
 * @param tasks in the order of their ids, without those that were pruned
 * @param edges in the order of the ids of their successors
 * @param more true if the graph has more tasks, or more edges
 */
public record TaskGraph(List<Member> tasks, List<Edge> edges, boolean more) {
  public TaskGraph {
    tasks = List.copyOf(tasks);
    edges = List.copyOf(edges);
  }

  /**
   * A task.
   *
   * @param handler name of its handler, or {@code pool:} and the name of a pool
   */
  public record Member(TaskId id, String handler, TaskState state) {}

  /**
   * The successor waits for the predecessor.
   *
   * @param open true until the predecessor has ended as the successor waits for
   */
  public record Edge(TaskId predecessor, TaskId successor, OnFailure onFailure, boolean open) {}
}
