package io.kairos.engine.schedule;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.port.Standing;
import io.kairos.engine.task.Inlet;
import io.kairos.engine.task.NotEnrolled;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Decides schedules when a replicated cron says that their time has come, in one batch for each
 * call. The store's clock is only held against the agreed time, so one that has jumped forward
 * keeps nothing waiting. On the caller's thread; thread-safe.
 */
final class ReplicatedFiring {
  /** So far may agreed time be ahead of the store's clock: no fire is early by more. */
  private static final Duration MOST_AHEAD = Duration.ofMillis(500);

  private final SchedulePorts ports;
  private final Inlet inlet;
  private final Firing firing;

  ReplicatedFiring(SchedulePorts ports, Inlet inlet, Firing firing) {
    this.ports = ports;
    this.inlet = inlet;
    this.firing = firing;
  }

  List<Standing> decideDue(Collection<ScheduleName> names, Instant upTo) {
    NodeId life = inlet.life().orElseThrow(NotEnrolled::new);
    firing.batch(
        life,
        (node, limit, enqueueTimeout, decider) ->
            ports.schedules().fireNamed(node, names, upTo, limit, enqueueTimeout, decider),
        now -> Optional.of(notAhead(upTo, now)));
    return ports.schedules().standings(names);
  }

  private static Instant notAhead(Instant upTo, Instant now) {
    if (upTo.isAfter(now.plus(MOST_AHEAD))) {
      throw new StoreUnavailable(
          "the agreed time %s is ahead of the store's clock, which shows %s".formatted(upTo, now));
    }
    return upTo;
  }
}
