package io.kairos.client.time;

import java.time.Duration;

/** Runs short actions later, one at a time, on its one thread. Thread-safe. */
public interface Timer extends AutoCloseable {
  /**
   * Runs {@code action} once. It must neither block nor throw. After {@link #close} it is dropped.
   */
  Cancellation after(Duration delay, Runnable action);

  /** Drops what has not begun. Does not wait. */
  @Override
  void close();

  /** Takes an action back. */
  interface Cancellation {
    /** Harmless when the action has run. */
    void cancel();
  }
}
