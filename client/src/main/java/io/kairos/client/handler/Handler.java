package io.kairos.client.handler;

/**
 * Performs the tasks of one handler name. Called on executor threads, concurrently. A normal return
 * is success. {@link RetryLater} requests a retry, {@link FatalFailure} prevents retries, {@link
 * Snooze} puts the task off without a failure, and {@link NotBegun} gives it back. Every other
 * exception is a failure that is retried by the task's retry policy.
 *
 * <p>A task is performed at least once, because a worker may die after the effect and before the
 * result is reported: handlers must be idempotent. While the lease lasts, no other worker performs
 * the same task. When the lease is lost, the context is cancelled and the thread is interrupted. A
 * handler that stops within the grace time does not overlap with the next attempt, unless the whole
 * process was stopped. A handler that ignores the interrupt goes on beside the next attempt, and
 * its result is ignored. Effects that must not come late should be guarded by the {@link
 * TaskContext#fence}; {@link HandlerOptions#HALT_JVM} ends the JVM of a handler that goes on.
 */
@FunctionalInterface
public interface Handler<T> {
  void handle(T payload, TaskContext context) throws Exception;

  /**
   * True when the worker should ask for tasks of this handler now. Called often and on any thread:
   * it must be quick, and must neither block nor call the worker.
   */
  default boolean isReady(String handler) {
    return true;
  }
}
