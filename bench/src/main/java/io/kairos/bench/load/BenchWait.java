package io.kairos.bench.load;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Lets time pass for the thread that drives a run. */
public final class BenchWait {
  private BenchWait() {}

  /** What is waited for. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws SQLException;
  }

  public static void pass(Duration length) {
    long until = System.nanoTime() + length.toNanos();
    for (long left = length.toNanos(); left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Lets time pass until a moment in microseconds since the epoch. */
  public static void passUntil(long micros) {
    for (long left = micros - WallClock.micros(); left > 0; left = micros - WallClock.micros()) {
      LockSupport.parkNanos(left * 1_000);
    }
  }

  /**
   * Waits for a condition.
   *
   * @return false when it takes longer
   */
  public static boolean until(Condition condition, Duration atMost, Duration lookEvery)
      throws SQLException {
    long until = System.nanoTime() + atMost.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - until > 0) {
        return false;
      }
      LockSupport.parkNanos(lookEvery.toNanos());
    }
    return true;
  }
}
