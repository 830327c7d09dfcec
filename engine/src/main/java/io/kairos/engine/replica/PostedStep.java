package io.kairos.engine.replica;

import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Runs code on the log's thread at intervals. Never posts again before the code has run, so that a
 * log that stands still does not collect posts.
 */
public class PostedStep implements Step {
  private final String name;
  private final ReplicatedLog log;
  private final Supplier<Duration> wait;
  private final Runnable work;
  private final AtomicBoolean asked = new AtomicBoolean();

  public PostedStep(String name, ReplicatedLog log, Duration every, Runnable work) {
    this(name, log, () -> every, work);
  }

  /** For waits that differ; {@link #ask} may be called in between. */
  protected PostedStep(String name, ReplicatedLog log, Supplier<Duration> wait, Runnable work) {
    this.name = name;
    this.log = log;
    this.wait = wait;
    this.work = work;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final NextRound runOnce() {
    ask();
    return NextRound.after(wait.get());
  }

  /** Posts the code, unless it is posted already and has not run. */
  protected final void ask() {
    if (asked.compareAndSet(false, true)) {
      log.post(() -> {
        asked.set(false);
        work.run();
      });
    }
  }
}
