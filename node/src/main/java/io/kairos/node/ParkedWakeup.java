package io.kairos.node;

import io.kairos.engine.loop.Wakeup;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A wakeup in real time: one thread parks, any thread may wake it. A signal costs one volatile read
 * when another signal is pending.
 */
public final class ParkedWakeup implements Wakeup {
  private final AtomicBoolean signalled = new AtomicBoolean();
  private volatile @Nullable Thread waiting;

  @Override
  public void signal() {
    if (!signalled.get() && signalled.compareAndSet(false, true)) {
      // The waiter publishes itself before it reads the flag, so either it sees the signal or this
      // thread sees the waiter.
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
