package io.kairos.engine.schedule;

import io.kairos.engine.loop.NextRound;
import java.time.Duration;

/**
 * Prunes old ledger entries in bounded batches with pauses. At the start the step also has
 * schedules decided again that were decided by other time zone rules than those of this process.
 * Safe to run on every node at once.
 */
final class ScheduleUpkeepStep {
  private static final Duration EVERY = Duration.ofSeconds(20);
  private static final Duration BETWEEN_BATCHES = Duration.ofMillis(50);
  private static final int BATCH = 1_000;

  private final ScheduleConfig config;
  private final SchedulePorts ports;
  private boolean rezoned;

  ScheduleUpkeepStep(ScheduleConfig config, SchedulePorts ports) {
    this.config = config;
    this.ports = ports;
  }

  NextRound runOnce() {
    if (!rezoned) {
      ports.schedules().rezone(ports.timeZoneRules());
      rezoned = true;
    }
    int pruned = ports.schedules().pruneLedger(config.ledgerRetention(), BATCH);
    return NextRound.after(pruned == BATCH ? BETWEEN_BATCHES : EVERY).having(pruned);
  }
}
