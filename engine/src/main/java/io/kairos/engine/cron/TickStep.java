package io.kairos.engine.cron;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ReplicatedLog;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Wakes up for the ticks of this replica (CC-34) and has the log's thread send them. It touches no
 * state, and asks no second time before the first was answered.
 */
public final class TickStep implements Step {
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

  private final ReplicatedLog log;
  private final TicksGenerator generator;
  private final AtomicBoolean asked = new AtomicBoolean();
  private volatile Duration wait = Duration.ZERO;

  public TickStep(ReplicatedLog log, TicksGenerator generator) {
    this.log = log;
    this.generator = generator;
  }

  @Override
  public String name() {
    return "ticks";
  }

  @Override
  public Next runOnce() {
    if (asked.compareAndSet(false, true)) {
      log.post(this::look);
    }
    Duration next = wait;
    return Next.after(next.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : next);
  }

  private void look() {
    try {
      wait = generator.look();
    } finally {
      asked.set(false);
    }
  }
}
