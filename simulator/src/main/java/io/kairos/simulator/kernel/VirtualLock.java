package io.kairos.simulator.kernel;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Date;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock for production code whose conditions wait on the virtual clock. The lock is never
 * contended, because one fiber runs at a time; code that waits for anything else while it holds the
 * lock fails here.
 */
public final class VirtualLock implements Lock {
  /** Whoever waits for longer wakes up for nothing, as the contract of conditions allows. */
  private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(20).toNanos();

  private final Kernel kernel;
  private boolean isHeld;

  public VirtualLock(Kernel kernel) {
    this.kernel = kernel;
  }

  @Override
  public void lock() {
    if (isHeld) {
      throw new IllegalStateException("it is held by somebody who waits, or taken twice");
    }
    isHeld = true;
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    lock();
  }

  @Override
  public boolean tryLock() {
    if (isHeld) {
      return false;
    }
    isHeld = true;
    return true;
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) {
    return tryLock();
  }

  @Override
  public void unlock() {
    isHeld = false;
  }

  @Override
  public Condition newCondition() {
    return new VirtualCondition();
  }

  private final class VirtualCondition implements Condition {
    private final Deque<Fiber> waiting = new ArrayDeque<>();

    @Override
    public void await() throws InterruptedException {
      sleepWithoutTheLock(LONGEST_WAIT_NANOS);
    }

    @Override
    public long awaitNanos(long nanos) throws InterruptedException {
      return sleepWithoutTheLock(nanos);
    }

    private long sleepWithoutTheLock(long nanos) throws InterruptedException {
      Fiber self = kernel.running();
      if (self == null) {
        throw new IllegalStateException("only a fiber can wait");
      }
      long until = kernel.nowNanos() + nanos;
      waiting.add(self);
      isHeld = false;
      try {
        kernel.sleepInterruptibly(nanos);
      } finally {
        waiting.remove(self);
        isHeld = true;
      }
      return until - kernel.nowNanos();
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
      return sleepWithoutTheLock(unit.toNanos(time)) > 0;
    }

    @Override
    public void awaitUninterruptibly() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean awaitUntil(Date deadline) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void signal() {
      Fiber first = waiting.poll();
      if (first != null) {
        kernel.wake(first);
      }
    }

    @Override
    public void signalAll() {
      waiting.forEach(kernel::wake);
      waiting.clear();
    }
  }
}
