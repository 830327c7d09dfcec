package io.kairos.client.worker;

import java.time.Duration;

/**
 * Is notified of the events of a worker, for metrics of the user's choice. Called on the worker's
 * threads, concurrently, for every task, so it must be quick. Its exceptions are logged and
 * ignored.
 */
public interface WorkerListener {
  /** Ignores all events. */
  WorkerListener NONE = new WorkerListener() {};

  /** Tasks were leased by one call. */
  default void claimed(int tasks) {}

  /**
   * A handler begins.
   *
   * @param lateness time since the due time, by this machine's clock
   */
  default void started(String handler, Duration lateness) {}

  /** A handler has ended. */
  default void ended(String handler, AttemptEnding ending, Duration took) {}

  /** The lease of a task that was running or buffered was lost. */
  default void lost(String handler, String why) {}

  /**
   * A handler goes on although its lease was lost and its grace time is over. It occupies an
   * executor until it has {@link #returned}; so there are never more than the worker's concurrency.
   * Followed by {@link #ended} and {@link #returned} of the same execution, in this order, each
   * after the call before has returned.
   */
  default void abandoned(String handler) {}

  /** An abandoned handler has returned, after {@link #ended}; its executor is free again. */
  default void returned(String handler) {}

  /** A heartbeat for a number of tasks was acknowledged, or failed. */
  default void heartbeat(int tasks, boolean acknowledged) {}

  /** A result was refused, because the worker no longer held the lease. */
  default void resultRefused(String reason) {}
}
