package io.kairos.embedded.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A deadline on the monotonic clock for waiting for a child process, which is polled every few
 * milliseconds.
 */
public final class WaitDeadline {
  private static final long LOOK_EVERY_MILLIS = 10;

  private final long atNanos;

  private WaitDeadline(long atNanos) {
    this.atNanos = atNanos;
  }

  public static WaitDeadline in(Duration patience) {
    return new WaitDeadline(System.nanoTime() + patience.toNanos());
  }

  public boolean hasPassed() {
    return System.nanoTime() - atNanos >= 0;
  }

  /** Milliseconds left, at least 1, for libraries that take a timeout as a number. */
  public int leftMillis() {
    return Math.clamp(
        TimeUnit.NANOSECONDS.toMillis(atNanos - System.nanoTime()), 1, Integer.MAX_VALUE);
  }

  /** Waits until the next poll; call it in a loop that also checks {@link #hasPassed()}. */
  public void pause() throws InterruptedException {
    Thread.sleep(LOOK_EVERY_MILLIS);
  }

  /** Waits for the condition; false when the deadline came first. */
  public boolean await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (hasPassed()) {
        return false;
      }
      pause();
    }
    return true;
  }
}
