package io.kairos.bench.load;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Lets time pass for the thread that drives a run. */
public final class BenchWait {
  private BenchWait() {}

  /** A condition to wait for. */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    boolean holds() throws E;
  }

  public static void pass(Duration length) {
    long until = System.nanoTime() + length.toNanos();
    for (long left = length.toNanos(); left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Lets time pass until a moment in microseconds since the epoch. */
  public static void passUntil(long micros) {
    for (long left = micros - LoadClock.micros(); left > 0; left = micros - LoadClock.micros()) {
      LockSupport.parkNanos(left * 1_000);
    }
  }

  /**
   * Waits for a condition.
   *
   * @return false when it takes longer
   */
  public static <E extends Exception> boolean until(
      Condition<E> condition, Duration atMost, Duration lookEvery) throws E {
    long until = System.nanoTime() + atMost.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - until > 0) {
        return false;
      }
      LockSupport.parkNanos(lookEvery.toNanos());
    }
    return true;
  }

  /** Waits until all of these have ended. */
  public static void forEndOf(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** The exception for an interrupted thread; nothing interrupts threads while a run is well. */
  public static IllegalStateException interrupted(String what, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted while waiting for " + what, e);
  }
}
