package io.kairos.engine.schedule;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.schedule.port.NextTrigger;
import io.kairos.engine.task.TaskInlet;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides schedules that are due by the store's clock, in batches, and sleeps until the next one.
 * While none is due, the step makes one call of the store per poll interval, however many schedules
 * there are. Safe to run on every node at once: the nodes share the due schedules.
 */
record FireSchedulesStep(
    ScheduleConfig config,
    SchedulePorts ports,
    TaskInlet inlet,
    ScheduleFiring firing,
    ClockWatch clock) {
  /** Wait while another node decides the due schedules. */
  private static final Duration WHILE_OTHERS_DECIDE = Duration.ofMillis(50);

  NextRound runOnce() {
    Optional<NodeId> life = inlet.life();
    if (life.isEmpty()) {
      return NextRound.retry(config.pollInterval());
    }
    NextTrigger agenda = ports.schedules().agenda();
    ports.events().looked(agenda);
    Duration untilNext = agenda.untilNext().orElse(config.pollInterval());
    // The clock is checked even while nothing is due: rare checks could not distinguish a jump from
    // drift.
    if (!clock.believes(agenda.now())) {
      return NextRound.retry(config.pollInterval());
    }
    if (untilNext.isPositive()) {
      return NextRound.after(
          untilNext.compareTo(config.pollInterval()) < 0 ? untilNext : config.pollInterval());
    }
    ScheduleFiring.Batch batch =
        firing.batch(
            life.get(), ports.schedules()::fire, now -> Optional.of(now).filter(clock::believes));
    if (batch.isHeldBack()) {
      return NextRound.retry(config.pollInterval());
    }
    return batch.schedules() == 0
        ? NextRound.retry(WHILE_OTHERS_DECIDE)
        : NextRound.AT_ONCE.having(batch.entries());
  }
}
