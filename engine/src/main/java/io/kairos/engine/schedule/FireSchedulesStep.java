package io.kairos.engine.schedule;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.schedule.port.Agenda;
import io.kairos.engine.task.Inlet;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides schedules whose time has come by the store's clock, in batches, and sleeps until the
 * next. While none is due it asks the store one question for each poll interval, however many
 * schedules there are. Safe to run on every node at once: they share what is due.
 */
final class FireSchedulesStep implements Step {
  /** Another node is deciding what is due. */
  private static final Duration WHILE_OTHERS_DECIDE = Duration.ofMillis(50);

  private final ScheduleConfig config;
  private final SchedulePorts ports;
  private final Inlet inlet;
  private final Firing firing;
  private final ClockWatch clock;

  FireSchedulesStep(
      ScheduleConfig config, SchedulePorts ports, Inlet inlet, Firing firing, ClockWatch clock) {
    this.config = config;
    this.ports = ports;
    this.inlet = inlet;
    this.firing = firing;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "fire-schedules";
  }

  @Override
  public Next runOnce() {
    Optional<NodeId> life = inlet.life();
    if (life.isEmpty()) {
      return Next.retry(config.pollInterval());
    }
    Agenda agenda = ports.schedules().agenda();
    ports.events().looked(agenda);
    Duration untilNext = agenda.untilNext().orElse(config.pollInterval());
    // Also while nothing is due: whoever looks rarely cannot tell a jump from a clock that drifts.
    if (!clock.believes(agenda.now())) {
      return Next.retry(config.pollInterval());
    }
    if (untilNext.isPositive()) {
      return Next.after(
          untilNext.compareTo(config.pollInterval()) < 0 ? untilNext : config.pollInterval());
    }
    Firing.Batch batch =
        firing.batch(
            life.get(), ports.schedules()::fire, now -> Optional.of(now).filter(clock::believes));
    if (batch.isHeldBack()) {
      return Next.retry(config.pollInterval());
    }
    return batch.schedules() == 0
        ? Next.retry(WHILE_OTHERS_DECIDE)
        : Next.AT_ONCE.having(batch.entries());
  }
}
