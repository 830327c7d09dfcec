package io.kairos.engine.loop;

import java.time.Duration;

/**
 * When a step wants to run again.
 *
 * @param after zero for at once; a signal to the step's {@link Wakeup} cuts the wait short
 */
public record Next(Duration after) {
  public static final Next AT_ONCE = new Next(Duration.ZERO);

  public Next {
    if (after.isNegative()) {
      throw new IllegalArgumentException("a step cannot run again in the past: " + after);
    }
  }

  public static Next after(Duration wait) {
    return wait.isZero() || wait.isNegative() ? AT_ONCE : new Next(wait);
  }
}
