package io.kairos.engine.task.port;

import io.kairos.domain.task.TaskId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a redrive has done.
 *
 * @param tasks put back, in the order in which they are due; fewer than the limit, even none, when
 *     so many others had to be passed over
 * @param next where to go on, {@link RedriveRequest.Filter#after}; null when no more can match
 */
public record Redriven(List<TaskId> tasks, @Nullable TaskId next) {
  public Redriven {
    tasks = List.copyOf(tasks);
  }
}
