package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.TaskId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list of tasks.
 *
 * @param tasks newest first; fewer than the limit, even none, when many other tasks had to be
 *     skipped
 * @param next where to go on, for {@link ListQuery#before}; null when there are no more tasks
 * @param isIncomplete true when the page ends because many other tasks had to be skipped
 */
public record TaskListing(List<TaskView> tasks, @Nullable TaskId next, boolean isIncomplete) {
  public TaskListing {
    tasks = List.copyOf(tasks);
  }

  /**
   * Makes a page of the tasks that a store has found, which may be one more than the query's limit.
   */
  public static TaskListing of(
      ListQuery query, List<TaskView> found, @Nullable TaskId lookedDownTo) {
    if (found.size() <= query.limit()) {
      return new TaskListing(found, lookedDownTo, lookedDownTo != null);
    }
    List<TaskView> shown = found.subList(0, query.limit());
    return new TaskListing(shown, shown.getLast().id(), false);
  }
}
