package io.kairos.server.wiring;

import io.kairos.engine.loop.Wakeup;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A wakeup of real time: one thread parks, any may wake it. A signal that nobody waits for costs
 * one volatile read when another is pending, and one write otherwise.
 */
final class ParkedWakeup implements Wakeup {
  private final AtomicBoolean signalled = new AtomicBoolean();
  private volatile @Nullable Thread waiting;

  @Override
  public void signal() {
    if (!signalled.get() && signalled.compareAndSet(false, true)) {
      // Published before the waiter reads the flag for the last time, so one of us sees the other.
      LockSupport.unpark(waiting);
    }
  }

  @Override
  public void await(Duration atMost) {
    long untilNanos = System.nanoTime() + atMost.toNanos();
    waiting = Thread.currentThread();
    try {
      while (!signalled.compareAndSet(true, false)) {
        long leftNanos = untilNanos - System.nanoTime();
        if (leftNanos <= 0 || Thread.currentThread().isInterrupted()) {
          return;
        }
        LockSupport.parkNanos(this, leftNanos);
      }
    } finally {
      waiting = null;
    }
  }
}
