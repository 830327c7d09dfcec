package io.kairos.embedded;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A moment on the monotonic clock until which somebody waits for a child process, looking again
 * every few milliseconds.
 */
final class Deadline {
  private static final long LOOK_EVERY_MILLIS = 10;

  private final long atNanos;

  private Deadline(long atNanos) {
    this.atNanos = atNanos;
  }

  static Deadline in(Duration patience) {
    return new Deadline(System.nanoTime() + patience.toNanos());
  }

  boolean hasPassed() {
    return System.nanoTime() - atNanos >= 0;
  }

  /** For a library that takes its patience as a number; at least 1. */
  int leftMillis() {
    return Math.clamp(
        TimeUnit.NANOSECONDS.toMillis(atNanos - System.nanoTime()), 1, Integer.MAX_VALUE);
  }

  /** Waits one look; call it in a loop that also asks {@link #hasPassed()}. */
  void pause() throws InterruptedException {
    Thread.sleep(LOOK_EVERY_MILLIS);
  }

  /** Waits for the condition; false when the deadline came first. */
  boolean await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (hasPassed()) {
        return false;
      }
      pause();
    }
    return true;
  }
}
