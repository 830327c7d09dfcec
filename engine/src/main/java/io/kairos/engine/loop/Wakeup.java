package io.kairos.engine.loop;

import java.time.Duration;

/**
 * Lets one thread wait and any other thread wake it. A signal that comes while no thread waits is
 * kept: the next wait returns at once.
 */
public interface Wakeup {
  /** Wakes the waiting thread. Never blocks; several signals before a wait count once. */
  void signal();

  /**
   * Waits for a signal, at most this long, and consumes it. Interruption returns early and leaves
   * the thread interrupted.
   */
  void await(Duration atMost);
}
