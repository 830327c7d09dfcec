package io.kairos.engine.loop;

import java.util.function.UnaryOperator;

/**
 * A step, the wakeup that cuts its waits short, and what the step is for. Whoever drives the step
 * waits on the wakeup between rounds.
 */
public record Activity(Step step, Wakeup wakeup, Duty duty) {
  /** What a step is for, which says who may drive it. */
  public enum Duty {
    /** Looks for what time has made due; somebody outside may have it do so. */
    LOOKS_FOR_DUE,
    /** Serves calls, or brings to its end what the node has in hand: on its own, in any case. */
    SERVES
  }

  /** Of a step that looks for what time has made due. */
  public static Activity looking(Step step, Wakeup wakeup) {
    return new Activity(step, wakeup, Duty.LOOKS_FOR_DUE);
  }

  /** Of a step that serves calls, or what the node has in hand. */
  public static Activity serving(Step step, Wakeup wakeup) {
    return new Activity(step, wakeup, Duty.SERVES);
  }

  /** The same with something around its step. */
  public Activity around(UnaryOperator<Step> wrapper) {
    return new Activity(wrapper.apply(step), wakeup, duty);
  }
}
