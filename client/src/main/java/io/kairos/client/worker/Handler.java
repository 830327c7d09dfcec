package io.kairos.client.worker;

/**
 * Performs the tasks of one name. Called on executor threads, several at a time. A normal return is
 * success; {@link RetryLater} asks for another attempt, {@link FatalFailure} for none, {@link
 * NotBegun} gives the task back; every other exception is a failure that is tried again by the
 * task's retry policy.
 *
 * <p>A task is performed at least once: a worker may die after the effect and before the result. So
 * an effect must bear being repeated. While its lease holds, no other worker performs the same
 * task; when it is lost, the context is cancelled and the thread interrupted, and the handler has
 * to stop within the grace time. Effects that must not come late go beside {@link
 * TaskContext#fence}.
 */
@FunctionalInterface
public interface Handler<T> {
  void handle(T payload, TaskContext context) throws Exception;

  /**
   * Whether tasks of this name are to be asked for now. Asked often, on any thread: must be quick,
   * must not block, and must not call the worker.
   */
  default boolean isReady(String handler) {
    return true;
  }
}
