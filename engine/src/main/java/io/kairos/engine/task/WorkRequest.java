package io.kairos.engine.task;

import io.kairos.domain.task.HandlerName;
import java.util.Set;

/**
 * A worker that waits for work.
 *
 * @param worker its name, the same as long as it lives
 * @param maxTasks how many tasks it can begin at once, at least 1
 */
public record WorkRequest(String worker, Set<HandlerName> handlers, int maxTasks) {
  public WorkRequest {
    handlers = Set.copyOf(handlers);
    if (maxTasks < 1) {
      throw new IllegalArgumentException("a worker must be able to take a task");
    }
  }
}
