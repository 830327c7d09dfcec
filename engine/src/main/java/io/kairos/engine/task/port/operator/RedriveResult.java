package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.TaskId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a redrive, or of a dry run of one.
 *
 * @param tasks the redriven tasks in the order of their due times; fewer than the limit, even none,
 *     when many other tasks had to be skipped; empty in a dry run
 * @param count number of tasks that were redriven, or would be
 * @param next where to go on, for {@link RedriveRequest.Filter#after}; null when no more tasks can
 *     match
 * @param at the store's time
 */
public record RedriveResult(List<TaskId> tasks, int count, @Nullable TaskId next, Instant at) {
  public RedriveResult {
    tasks = List.copyOf(tasks);
  }
}
