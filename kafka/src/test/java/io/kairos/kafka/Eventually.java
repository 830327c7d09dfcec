package io.kairos.kafka;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition that another process brings about, with a deadline. */
final class Eventually {
  private static final Duration LOOK_AGAIN_AFTER = Duration.ofMillis(10);

  private Eventually() {}

  static void within(Duration deadline, String what, BooleanSupplier condition) {
    long until = System.nanoTime() + deadline.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > until) {
        throw new AssertionError("not within " + deadline + ": " + what);
      }
      LockSupport.parkNanos(LOOK_AGAIN_AFTER.toNanos());
    }
  }
}
