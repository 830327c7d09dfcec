package io.kairos.client.worker;

import java.time.Duration;

/**
 * Hears what a worker does: the place for metrics of the user's choice. Called on the worker's
 * threads, several at a time, for every task: must be quick. What it throws is logged and ignored.
 */
public interface WorkerListener {
  /** Nobody hears. */
  WorkerListener NONE = new WorkerListener() {};

  /** Tasks were claimed by one call. */
  default void claimed(int tasks) {}

  /**
   * A handler begins.
   *
   * @param lateness since the due time, by this machine's clock
   */
  default void started(String handler, Duration lateness) {}

  default void ended(String handler, Ending ending, Duration took) {}

  /** The lease of a task was lost, whether it was being performed or waited in the buffer. */
  default void lost(String handler, String why) {}

  default void heartbeat(int tasks, boolean acknowledged) {}

  /** A result came too late: somebody else holds the task. */
  default void resultRefused(String reason) {}
}
