package io.kairos.domain.schedule.local;

/**
 * The local seconds that a rule names. Pure and total; every implementation bounds the work of a
 * call and finds no time more than 400 years ahead, the length of the calendar's cycle.
 */
@FunctionalInterface
public interface LocalRule {
  /** The result when there is none. */
  long NEVER = Long.MAX_VALUE;

  /** The first local second not before the given one that the rule names, or {@link #NEVER}. */
  long nextAtOrAfter(long localSecond);
}
