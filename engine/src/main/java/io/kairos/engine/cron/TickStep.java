package io.kairos.engine.cron;

import io.kairos.engine.replica.PostedStep;
import io.kairos.engine.replica.ReplicatedLog;
import java.time.Duration;

/**
 * Wakes up when a tick of this replica is due, and lets the log's thread send it. The log's thread
 * also sends due ticks after each executed tick. Touches no state, and never posts again before the
 * log's thread has run.
 */
public final class TickStep extends PostedStep {
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

  /**
   * Creates the step, which must run for as long as the log is open.
   *
   * @param machine of the machine that the log drives
   */
  public TickStep(ReplicatedLog log, CronMachine machine, TicksGenerator generator) {
    super("ticks", log, () -> wait(generator), generator::look);
    machine.onTick(this::ask);
  }

  private static Duration wait(TicksGenerator generator) {
    Duration next = generator.untilLook();
    return next.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : next;
  }
}
