package io.kairos.client.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The time that a client goes by: {@link SystemTime}, or what a test turns by hand. Thread-safe.
 */
public interface Time {
  Instant now();

  /**
   * Elapsed time: meaningful only as a difference. It must go on while the process is stopped, for
   * leases are counted by it.
   */
  long nanos();

  /** Waits on the caller's thread. */
  void sleep(Duration duration) throws InterruptedException;

  /** A lock whose conditions wait by this time. */
  default Lock lock() {
    return new ReentrantLock();
  }

  /** A timer with a thread of its own. */
  Timer timer(String threadName);
}
