package io.kairos.simulator.task;

import io.kairos.client.time.ActionTimer;
import io.kairos.client.time.ClientTime;
import io.kairos.simulator.kernel.Kernel;
import io.kairos.simulator.kernel.VirtualClock;
import io.kairos.simulator.kernel.VirtualLock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;

/**
 * The time of one run of a worker's program: the virtual clock, for as long as the program lives.
 */
final class WorkerTime implements ClientTime {
  private final WorkerRun worker;
  private final Kernel kernel;
  private final VirtualClock clock;

  WorkerTime(WorkerRun worker, Kernel kernel, VirtualClock clock) {
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
    return new VirtualLock(kernel);
  }

  @Override
  public ActionTimer timer(String threadName) {
    return new SimTimer();
  }

  private final class SimTimer implements ActionTimer {
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
