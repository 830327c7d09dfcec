package io.kairos.engine.cron;

import io.kairos.engine.replica.PostedStep;
import io.kairos.engine.replica.ReplicatedLog;
import java.time.Duration;

/**
 * Wakes up for the ticks of this replica and has the log's thread send them, as it has after each
 * tick that was executed. It touches no state, and asks no second time before the first was
 * answered.
 */
public final class TickStep extends PostedStep {
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

  /**
   * To be run for as long as the log is open.
   *
   * @param machine that the log drives
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
