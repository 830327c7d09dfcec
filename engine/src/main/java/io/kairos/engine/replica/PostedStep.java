package io.kairos.engine.replica;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has something done on the log's thread every so often, and asks no second time before it was
 * done: a log that stands still is not buried in what it is asked.
 */
public final class PostedStep implements Step {
  private final String name;
  private final ReplicatedLog log;
  private final Duration every;
  private final Runnable work;
  private final AtomicBoolean asked = new AtomicBoolean();

  public PostedStep(String name, ReplicatedLog log, Duration every, Runnable work) {
    this.name = name;
    this.log = log;
    this.every = every;
    this.work = work;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Next runOnce() {
    if (asked.compareAndSet(false, true)) {
      log.post(() -> {
        asked.set(false);
        work.run();
      });
    }
    return Next.after(every);
  }
}
