package io.kairos.simulator.task;

import io.kairos.client.time.ActionTimer;
import io.kairos.client.time.ClientTime;
import io.kairos.simulator.kernel.Kernel;
import io.kairos.simulator.kernel.VirtualClock;
import io.kairos.simulator.kernel.VirtualLock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;

/** The clock of one run of a worker's program: the virtual clock, until the program ends. */
record WorkerTime(WorkerRun worker, Kernel kernel, VirtualClock clock) implements ClientTime {

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
    return new VirtualTimer();
  }

  private final class VirtualTimer implements ActionTimer {
    private boolean closed;

    @Override
    public Cancellation after(Duration delay, Runnable action) {
      AtomicBoolean isCancelled = new AtomicBoolean();
      worker.later(
          delay.toNanos(),
          () -> {
            if (!isCancelled.get() && !closed) {
              action.run();
            }
          });
      return () -> isCancelled.set(true);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
