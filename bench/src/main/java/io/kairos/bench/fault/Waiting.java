package io.kairos.bench.fault;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Lets time pass for the fault's thread. */
final class Waiting {
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  private Waiting() {}

  /** What is waited for. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws SQLException;
  }

  static void pass(Duration length) {
    long until = System.nanoTime() + length.toNanos();
    for (long left = length.toNanos(); left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Returns false when it takes longer. */
  static boolean until(Condition condition, Duration atMost) throws SQLException {
    long until = System.nanoTime() + atMost.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - until > 0) {
        return false;
      }
      pass(LOOK_EVERY);
    }
    return true;
  }
}
