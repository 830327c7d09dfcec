package io.kairos.client.time;

import java.time.Duration;

/** Runs short actions after a delay, one at a time, on its single thread. Thread-safe. */
public interface ActionTimer extends AutoCloseable {
  /**
   * Runs {@code action} once after a delay. The action must neither block nor throw. After {@link
   * #close} it is dropped.
   */
  Cancellation after(Duration delay, Runnable action);

  /** Drops actions that have not begun, without waiting. */
  @Override
  void close();

  /** Cancels a scheduled action. */
  interface Cancellation {
    /** Cancels the action; does nothing when it has run. */
    void cancel();
  }
}
