package io.kairos.engine.loop;

import java.time.Duration;

/**
 * What a round came to: when its step wants to run again, and how much it has done.
 *
 * @param after zero for at once; a signal to the step's {@link Wakeup} cuts the wait short
 * @param done how many things, for whoever polls; zero for a step that only tells its listeners
 * @param left whether something is left to do that it could not do now
 */
public record Next(Duration after, int done, boolean left) {
  public static final Next AT_ONCE = new Next(Duration.ZERO, 0, true);

  public Next {
    if (after.isNegative()) {
      throw new IllegalArgumentException("a step cannot run again in the past: " + after);
    }
  }

  public static Next after(Duration wait) {
    return wait.isZero() || wait.isNegative() ? AT_ONCE : new Next(wait, 0, false);
  }

  /** There may be something to do, which others or a fault keep it from: it tries again then. */
  public static Next retry(Duration wait) {
    return wait.isZero() || wait.isNegative() ? AT_ONCE : new Next(wait, 0, true);
  }

  /** The same of a round that has done so many things. */
  public Next having(int things) {
    return new Next(after, things, left);
  }
}
