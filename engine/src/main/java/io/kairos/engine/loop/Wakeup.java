package io.kairos.engine.loop;

import java.time.Duration;

/**
 * A place where one thread waits and any other may wake it. A signal that comes while nobody waits
 * is kept: the next wait returns at once.
 */
public interface Wakeup {
  /** Never blocks; signals that come together count once. */
  void signal();

  /**
   * Waits for a signal, at most this long, and consumes it. Interruption returns early and leaves
   * the thread interrupted.
   */
  void await(Duration atMost);
}
