package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.TaskId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a redrive.
 *
 * @param tasks the redriven tasks in the order of their due times; fewer than the limit, even none,
 *     when many other tasks had to be skipped
 * @param next where to go on, for {@link RedriveRequest.Filter#after}; null when no more tasks can
 *     match
 */
public record RedriveResult(List<TaskId> tasks, @Nullable TaskId next) {
  public RedriveResult {
    tasks = List.copyOf(tasks);
  }
}
