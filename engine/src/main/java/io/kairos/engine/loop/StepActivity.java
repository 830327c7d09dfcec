package io.kairos.engine.loop;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A step, the wakeup that ends its waits early, and the step's duty. The thread that drives the
 * step waits on the wakeup between rounds.
 */
public record StepActivity(Step step, Wakeup wakeup, Duty duty) {
  /** The purpose of a step, which decides who may drive it. */
  public enum Duty {
    /** Looks for work that has become due; a poll from outside may trigger its rounds. */
    LOOKS_FOR_DUE,
    /** Serves calls, or finishes work that the node has begun; always runs by itself. */
    SERVES
  }

  /** The activity of a step that looks for work that has become due. */
  public static StepActivity looking(Step step, Wakeup wakeup) {
    return new StepActivity(step, wakeup, Duty.LOOKS_FOR_DUE);
  }

  /** The activity of a step that serves calls, or finishes work that the node has begun. */
  public static StepActivity serving(Step step, Wakeup wakeup) {
    return new StepActivity(step, wakeup, Duty.SERVES);
  }

  /** The activity of a step of this name that looks for work that has become due. */
  public static StepActivity looking(String name, Supplier<NextRound> round, Wakeup wakeup) {
    return looking(Step.of(name, round), wakeup);
  }

  /** The activity of a step of this name that serves calls, or finishes work. */
  public static StepActivity serving(String name, Supplier<NextRound> round, Wakeup wakeup) {
    return serving(Step.of(name, round), wakeup);
  }

  /** This activity with its step wrapped. */
  public StepActivity around(UnaryOperator<Step> wrapper) {
    return new StepActivity(wrapper.apply(step), wakeup, duty);
  }
}
