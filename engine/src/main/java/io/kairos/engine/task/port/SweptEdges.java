package io.kairos.engine.task.port;

import io.kairos.domain.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * The result of sweeping some edges between tasks.
 *
 * @param last the last visited edge; null after the last of all edges
 * @param found number of deleted edges
 */
public record SweptEdges(@Nullable Position last, int found) {
  public static final SweptEdges NONE = new SweptEdges(null, 0);

  /** The place of an edge in the order of edges. */
  public record Position(TaskId predecessor, TaskId successor) {}
}
