package io.kairos.engine.task;

import io.kairos.domain.task.TaskHandler;
import java.util.Set;

/**
 * A worker that waits for work.
 *
 * @param worker its name, the same as long as it lives
 * @param maxTasks how many tasks it can begin at once, at least 1
 * @param maxBytes bound on the payloads of one answer, but one task is always given: what a worker
 *     cannot receive would lapse and come again for ever
 */
public record WorkRequest(String worker, Set<TaskHandler> handlers, int maxTasks, long maxBytes) {
  public WorkRequest {
    handlers = Set.copyOf(handlers);
    if (maxTasks < 1 || maxBytes < 1) {
      throw new IllegalArgumentException("a worker must be able to take a task");
    }
  }
}
