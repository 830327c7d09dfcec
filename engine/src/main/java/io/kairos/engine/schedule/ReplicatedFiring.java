package io.kairos.engine.schedule;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.port.NamedFiring;
import io.kairos.engine.schedule.port.NextDecision;
import io.kairos.engine.task.TaskInlet;
import io.kairos.engine.task.edge.NotEnrolled;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Decides schedules at the request of a replicated cron, one batch for each call. Agreed time
 * decides what is due; it must only not be far ahead of the store's clock. A store's clock that has
 * jumped forward therefore delays nothing. Works on the caller's thread; thread-safe.
 */
record ReplicatedFiring(SchedulePorts ports, TaskInlet inlet, ScheduleFiring firing) {
  /** How far agreed time may be ahead of the store's clock; no fire is early by more than this. */
  private static final Duration MOST_AHEAD = Duration.ofMillis(500);

  List<NextDecision> decideDue(Collection<ScheduleName> names, Instant upTo) {
    NodeId life = inlet.life().orElseThrow(NotEnrolled::new);
    firing.batch(
        life,
        (node, limit, enqueueTimeout, decider) ->
            ports
                .schedules()
                .fireNamed(node, new NamedFiring(names, upTo, limit), enqueueTimeout, decider),
        now -> Optional.of(notAhead(upTo, now)));
    return ports.schedules().nextDecisions(names);
  }

  private static Instant notAhead(Instant upTo, Instant now) {
    if (upTo.isAfter(now.plus(MOST_AHEAD))) {
      throw new StoreUnavailable(
          "the agreed time %s is ahead of the store's clock, which shows %s".formatted(upTo, now));
    }
    return upTo;
  }
}
