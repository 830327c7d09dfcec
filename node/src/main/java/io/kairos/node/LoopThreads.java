package io.kairos.node;

import io.kairos.engine.loop.Loop;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.loop.StepFailures;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's long-lived threads: one per activity, called {@code kairos-<step>}. Started and
 * stopped by the node.
 */
public final class LoopThreads {
  private static final Logger LOG = LoggerFactory.getLogger(LoopThreads.class);

  private final List<Loop> loops = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final MonotonicClock monotonic;

  /**
   * Makes platform threads; {@link #start} starts them. Two cores have two carriers and no time
   * slicing among virtual threads, so a loop that computes would starve the others.
   *
   * @param fatal called when a loop has died, with its name and the cause; on the loop's thread, at
   *     most once per loop
   */
  public LoopThreads(
      List<StepActivity> activities,
      MonotonicClock monotonic,
      BiConsumer<String, Throwable> fatal) {
    this(activities, monotonic, fatal, _ -> Thread.ofPlatform());
  }

  /**
   * Makes threads of a kind for each step.
   *
   * @param kinds the kind of thread for a step of this name
   */
  public LoopThreads(
      List<StepActivity> activities,
      MonotonicClock monotonic,
      BiConsumer<String, Throwable> fatal,
      Function<String, Thread.Builder> kinds) {
    this.monotonic = monotonic;
    StepFailures trouble = new StepFailures(monotonic);
    for (StepActivity activity : activities) {
      String name = activity.step().name();
      Loop loop = new Loop(activity, trouble, cause -> fatal.accept(name, cause));
      loops.add(loop);
      threads.add(
          kinds
              .apply(name)
              .name("kairos-" + name)
              .uncaughtExceptionHandler((_, error) ->
                  LOG.atError()
                      .addKeyValue("step", name)
                      .setCause(error)
                      .log("a loop has died of an error"))
              .unstarted(loop));
    }
  }

  /** Starts the threads. */
  public void start() {
    threads.forEach(Thread::start);
  }

  /**
   * Ends the loops after their present round.
   *
   * @return names of the threads that did not end in time; they were interrupted
   */
  public List<String> stop(Duration atMost) {
    loops.forEach(Loop::stop);
    long untilNanos = monotonic.nanos() + atMost.toNanos();
    List<String> left = new ArrayList<>();
    for (Thread thread : threads) {
      if (!hasEnded(thread, untilNanos)) {
        left.add(thread.getName());
        thread.interrupt();
      }
    }
    return left;
  }

  private boolean hasEnded(Thread thread, long untilNanos) {
    if (thread.getState() == Thread.State.NEW || thread.equals(Thread.currentThread())) {
      return true;
    }
    try {
      return thread.join(Duration.ofNanos(Math.max(1, untilNanos - monotonic.nanos())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !thread.isAlive();
    }
  }
}
