package io.kairos.engine.task.port;

import io.kairos.domain.task.graph.GraphEdge;
import java.util.List;

/**
 * Tasks to be stored together or not at all. No two of them have one idempotency key.
 *
 * @param edges the tasks that each waits for; the successor of each edge is one of the arrivals,
 *     its predecessor an arrival or a stored task. They have no cycle, no two of them are equal,
 *     and the id of an arrival is greater than those of the arrivals that it waits for.
 */
public record InsertRequest(List<ArrivingTask> arrivals, List<GraphEdge> edges) {
  public InsertRequest {
    arrivals = List.copyOf(arrivals);
    edges = List.copyOf(edges);
  }

  /** Tasks that wait for no others. */
  public InsertRequest(List<ArrivingTask> arrivals) {
    this(arrivals, List.of());
  }
}
