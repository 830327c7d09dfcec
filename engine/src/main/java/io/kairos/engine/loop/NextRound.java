package io.kairos.engine.loop;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.time.Duration;

/**
 * The result of a round: when the step wants to run again, and how much it has done.
 *
 * @param after wait until the next round, zero for none; a signal to the step's {@link Wakeup} ends
 *     it early
 * @param done number of items handled, for polls; zero for a step that only reports to listeners
 * @param left true when work may be left that the round could not do
 */
public record NextRound(Duration after, int done, boolean left) {
  public static final NextRound AT_ONCE = new NextRound(Duration.ZERO, 0, true);

  public NextRound {
    require(!after.isNegative(), "a step cannot run again in the past: ", after);
  }

  public static NextRound after(Duration wait) {
    return wait.isZero() || wait.isNegative() ? AT_ONCE : new NextRound(wait, 0, false);
  }

  /** Work may be left that a fault or another node prevents; the step retries after the wait. */
  public static NextRound retry(Duration wait) {
    return wait.isZero() || wait.isNegative() ? AT_ONCE : new NextRound(wait, 0, true);
  }

  /** This result with a number of items handled. */
  public NextRound having(int things) {
    return new NextRound(after, things, left);
  }
}
