package io.kairos.engine.schedule;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.time.Duration;

/**
 * The upkeep of schedules: forgets decisions on fire times that lie long ago, in bounded batches
 * with pauses in between, and once has schedules looked at anew that were decided by other rules of
 * time zones than those of this process. Safe to run on every node at once.
 */
final class TendSchedulesStep implements Step {
  private static final Duration EVERY = Duration.ofSeconds(20);
  private static final Duration BETWEEN_BATCHES = Duration.ofMillis(50);
  private static final int BATCH = 1_000;

  private final ScheduleConfig config;
  private final SchedulePorts ports;
  private boolean rezoned;

  TendSchedulesStep(ScheduleConfig config, SchedulePorts ports) {
    this.config = config;
    this.ports = ports;
  }

  @Override
  public String name() {
    return "tend-schedules";
  }

  @Override
  public Next runOnce() {
    if (!rezoned) {
      ports.schedules().rezone(ports.timeZoneRules());
      rezoned = true;
    }
    int pruned = ports.schedules().pruneLedger(config.ledgerRetention(), BATCH);
    return Next.after(pruned == BATCH ? BETWEEN_BATCHES : EVERY).having(pruned);
  }
}
