package io.kairos.engine.loop;

import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Drives one activity on the thread that runs the loop. This is the only place that catches every
 * exception: {@link StepFailures} logs trouble outside, and the step is retried with backoff. A
 * broken invariant, an unexpected interruption or an {@link Error} ends the loop and is passed to
 * {@code fatal}, which must stop the node.
 */
public final class Loop implements Runnable {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final StepActivity activity;
  private final StepFailures trouble;
  private final Consumer<Throwable> fatal;
  private volatile boolean stopped;

  public Loop(StepActivity activity, MonotonicClock monotonic, Consumer<Throwable> fatal) {
    this(activity, new StepFailures(monotonic), fatal);
  }

  /**
   * @param trouble shared by the loops of a process
   */
  public Loop(StepActivity activity, StepFailures trouble, Consumer<Throwable> fatal) {
    this.activity = activity;
    this.trouble = trouble;
    this.fatal = fatal;
  }

  public String name() {
    return activity.step().name();
  }

  /** Ends the loop after the present round. May be called by any thread. */
  public void stop() {
    stopped = true;
    activity.wakeup().signal();
  }

  @Override
  public void run() {
    boolean completed = false;
    try {
      turn();
      completed = true;
    } catch (IllegalStateException e) {
      completed = true;
      fatal.accept(e);
    } finally {
      if (!completed) {
        // An Error is being thrown and is not caught, but the node must learn of it.
        fatal.accept(new IllegalStateException("the " + name() + " loop died of an error"));
      }
    }
  }

  private void turn() {
    int failures = 0;
    while (!stopped) {
      Duration wait;
      try {
        wait = activity.step().runOnce().after();
        if (failures > 0) {
          trouble.works(name());
          failures = 0;
        }
      } catch (IllegalStateException e) {
        throw e;
      } catch (RuntimeException e) {
        trouble.failed(name(), e);
        wait = pause(failures++);
      }
      if (!stopped && wait.isPositive()) {
        activity.wakeup().await(wait);
      }
      if (Thread.currentThread().isInterrupted() && !stopped) {
        throw new IllegalStateException("the " + name() + " loop was interrupted");
      }
    }
  }

  private static Duration pause(int failures) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures, 10));
    return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
  }
}
