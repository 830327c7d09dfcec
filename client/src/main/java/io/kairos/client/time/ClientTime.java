package io.kairos.client.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The clock of a client: {@link SystemTime}, or a manual clock in tests. Thread-safe. */
public interface ClientTime {
  Instant now();

  /**
   * Elapsed nanoseconds, meaningful only as a difference. They must go on while the process is
   * stopped, because leases are counted by them.
   */
  long nanos();

  /** Blocks the caller's thread for this time. */
  void sleep(Duration duration) throws InterruptedException;

  /** Returns a lock whose conditions wait by this clock. */
  default Lock lock() {
    return new ReentrantLock();
  }

  /** Returns a timer with its own thread. */
  ActionTimer timer(String threadName);
}
