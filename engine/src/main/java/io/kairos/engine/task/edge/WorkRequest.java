package io.kairos.engine.task.edge;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.task.queue.TaskHandler;
import java.util.Set;

/**
 * A worker's request for tasks.
 *
 * @param worker the worker's name, which stays as long as its process runs
 * @param handlers handlers that the worker performs
 * @param maxTasks most tasks that the worker can begin at once, at least 1
 * @param maxBytes bound on the bytes of payload of one answer, except that the first task is always
 *     given: otherwise a larger payload could never be handed out
 * @param strictPriority true when tasks of lower priorities, of all the handlers, begin only while
 *     none of a higher one is due
 */
public record WorkRequest(
    String worker, Set<TaskHandler> handlers, int maxTasks, long maxBytes, boolean strictPriority) {
  public WorkRequest {
    handlers = Set.copyOf(handlers);
    require(maxTasks >= 1 && maxBytes >= 1, "a worker must be able to take a task");
  }
}
