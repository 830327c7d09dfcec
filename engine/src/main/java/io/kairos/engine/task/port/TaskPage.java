package io.kairos.engine.task.port;

import io.kairos.domain.task.TaskId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param tasks newest first; at most as many as were asked for, and fewer, even none, when so many
 *     others had to be passed over
 * @param next what to ask on {@link ListQuery#before}; null when there are no more
 */
public record TaskPage(List<TaskView> tasks, @Nullable TaskId next) {
  public TaskPage {
    tasks = List.copyOf(tasks);
  }

  /** What a store has found of this query, one more than was asked for if there is one. */
  public static TaskPage of(ListQuery query, List<TaskView> found, @Nullable TaskId lookedDownTo) {
    if (found.size() <= query.limit()) {
      return new TaskPage(found, lookedDownTo);
    }
    List<TaskView> shown = found.subList(0, query.limit());
    return new TaskPage(shown, shown.getLast().id());
  }
}
