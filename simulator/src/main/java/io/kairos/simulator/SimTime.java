package io.kairos.simulator;

import io.kairos.client.time.Time;
import io.kairos.client.time.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;

/**
 * The time of one run of a worker's program: the virtual clock, for as long as the program lives.
 */
final class SimTime implements Time {
  private final WorkerProcess worker;
  private final Kernel kernel;
  private final SimClock clock;

  SimTime(WorkerProcess worker, Kernel kernel, SimClock clock) {
    this.worker = worker;
    this.kernel = kernel;
    this.clock = clock;
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public long nanos() {
    return kernel.nowNanos();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    kernel.sleepInterruptibly(duration.toNanos());
  }

  @Override
  public Lock lock() {
    return new SimLock(kernel);
  }

  @Override
  public Timer timer(String threadName) {
    return new SimTimer();
  }

  private final class SimTimer implements Timer {
    private boolean closed;

    @Override
    public Cancellation after(Duration delay, Runnable action) {
      Pending pending = new Pending(action);
      worker.later(delay.toNanos(), pending::run);
      return pending;
    }

    @Override
    public void close() {
      closed = true;
    }

    private final class Pending implements Cancellation {
      private final Runnable action;
      private boolean cancelled;

      Pending(Runnable action) {
        this.action = action;
      }

      void run() {
        if (!cancelled && !closed) {
          action.run();
        }
      }

      @Override
      public void cancel() {
        cancelled = true;
      }
    }
  }
}
