package io.kairos.client.time;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The system clock and random numbers; the only class of the client that uses them. On Linux the
 * elapsed time goes on while the process is stopped ({@code SIGSTOP}), but not while the machine is
 * suspended: then only the fence protects an effect.
 */
public final class SystemTime implements ClientTime {
  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(duration.toNanos());
  }

  @Override
  public ActionTimer timer(String threadName) {
    return new ThreadTimer(threadName);
  }

  /** Returns an unseeded, thread-safe source of random numbers. */
  public static RandomGenerator chance() {
    return new Random();
  }

  /** Returns a thread-safe source of random bytes for keys and nonces. */
  public static SecureRandom secrets() {
    return new SecureRandom();
  }

  private static final class ThreadTimer implements ActionTimer {
    private final ScheduledThreadPoolExecutor thread;

    ThreadTimer(String name) {
      thread = new ScheduledThreadPoolExecutor(1, action -> DaemonThread.of(name, action));
      thread.setRemoveOnCancelPolicy(true);
      thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Cancellation after(Duration delay, Runnable action) {
      try {
        Future<?> later = thread.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> later.cancel(false);
      } catch (RejectedExecutionException e) {
        return () -> {}; // closed
      }
    }

    @Override
    public void close() {
      thread.shutdown();
    }
  }
}
