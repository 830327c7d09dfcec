package io.kairos.engine.task.edge;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.task.queue.TaskHandler;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
 * @param caller the caller of the API whose worker it is; null for none
 */
public record WorkRequest(
    String worker,
    Set<TaskHandler> handlers,
    int maxTasks,
    long maxBytes,
    boolean strictPriority,
    @Nullable String caller) {
  public WorkRequest {
    handlers = Set.copyOf(handlers);
    require(maxTasks >= 1 && maxBytes >= 1, "a worker must be able to take a task");
  }

  /** Makes a request of the worker of no caller. */
  public WorkRequest(
      String worker,
      Set<TaskHandler> handlers,
      int maxTasks,
      long maxBytes,
      boolean strictPriority) {
    this(worker, handlers, maxTasks, maxBytes, strictPriority, null);
  }

  /** The request of a worker that is given no tasks: it waits, and can be sent away. */
  public WorkRequest forNothing() {
    return new WorkRequest(worker, Set.of(), maxTasks, maxBytes, strictPriority, caller);
  }
}
