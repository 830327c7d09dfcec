package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.TaskId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list of tasks.
 *
 * @param tasks newest first, as {@link TaskView#listed} makes them; fewer than the limit, even
 *     none, when many other tasks had to be skipped
 * @param next where to go on, for {@link ListQuery#before}; null when there are no more tasks, or
 *     when tasks that were accepted even earlier are not looked at
 * @param lookedDownTo where the page ends because many other tasks had to be skipped; null when it
 *     does not
 */
public record TaskListing(
    List<TaskView> tasks, @Nullable TaskId next, @Nullable TaskId lookedDownTo) {
  /** Most failures of each task, the latest; a page has many tasks, and texts are long. */
  public static final int MOST_FAILURES = 10;

  public TaskListing {
    tasks = List.copyOf(tasks);
  }

  /** True when the page ends because many other tasks had to be skipped. */
  public boolean isIncomplete() {
    return lookedDownTo != null;
  }

  /** The same as the last page. */
  public TaskListing last() {
    return new TaskListing(tasks, null, lookedDownTo);
  }

  /**
   * Makes a page of the tasks that a store has found, which may be one more than the query's limit.
   */
  public static TaskListing of(
      ListQuery query, List<TaskView> found, @Nullable TaskId lookedDownTo) {
    if (found.size() <= query.limit()) {
      return new TaskListing(found, lookedDownTo, lookedDownTo);
    }
    List<TaskView> shown = found.subList(0, query.limit());
    return new TaskListing(shown, shown.getLast().id(), null);
  }
}
