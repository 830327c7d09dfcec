package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.TaskId;
import java.util.List;

/**
 * Tasks that have not ended, and whose workers have not been asked to stop.
 *
 * @param tasks those that were accepted last come first, so that successors come before the tasks
 *     of the same call that they wait for
 * @param hasMore true if there may be more than were asked for
 */
public record UnfinishedTasks(List<TaskId> tasks, boolean hasMore) {
  public UnfinishedTasks {
    tasks = List.copyOf(tasks);
  }
}
