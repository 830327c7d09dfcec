package io.kairos.engine.cron;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ReplicatedLog;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Wakes up for the ticks of this replica (CC-34) and has the log's thread send them, as it has
 * after each tick that was executed. It touches no state, and asks no second time before the first
 * was answered.
 */
public final class TickStep implements Step {
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

  private final ReplicatedLog log;
  private final TicksGenerator generator;
  private final AtomicBoolean asked = new AtomicBoolean();

  /**
   * To be run for as long as the log is open.
   *
   * @param machine that the log drives
   */
  public TickStep(ReplicatedLog log, CronMachine machine, TicksGenerator generator) {
    this.log = log;
    this.generator = generator;
    machine.onTick(this::ask);
  }

  @Override
  public String name() {
    return "ticks";
  }

  @Override
  public Next runOnce() {
    ask();
    Duration next = generator.untilLook();
    return Next.after(next.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : next);
  }

  private void ask() {
    if (asked.compareAndSet(false, true)) {
      log.post(this::look);
    }
  }

  private void look() {
    asked.set(false);
    generator.look();
  }
}
