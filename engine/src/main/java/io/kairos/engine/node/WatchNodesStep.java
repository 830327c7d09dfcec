package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.node.LivenessStore.Renewal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Declares nodes dead whose latest renewal has stayed the same for their lapse, by the time that
 * has elapsed on this node. So no clock that steps makes a live node dead or keeps a dead one
 * alive, and a node that has just started watches for a lapse before it judges. Runs on every node;
 * the first verdict counts.
 */
final class WatchNodesStep {
  private final LivenessConfig config;
  private final LivenessPorts ports;
  private final NodeMembership membership;
  private Map<NodeId, Sighting> sightings = Map.of();
  private long lookedAtNanos;

  /**
   * A renewal that is a node's latest.
   *
   * @param sinceNanos monotonic time at which it was first seen
   */
  private record Sighting(Renewal renewal, long sinceNanos) {
    private long lapsesAtNanos() {
      return sinceNanos + renewal.lapse().toNanos();
    }
  }

  WatchNodesStep(LivenessConfig config, LivenessPorts ports, NodeMembership membership) {
    this.config = config;
    this.ports = ports;
    this.membership = membership;
  }

  NextRound runOnce() {
    Optional<NodeId> me = membership.id();
    if (me.isEmpty()) {
      return NextRound.after(config.renewInterval());
    }
    long sentNanos = ports.monotonic().nanos();
    look(ports.store().alive());
    for (Sighting sighting : sightings.values()) {
      if (sentNanos - sighting.lapsesAtNanos() >= 0
          && !sighting.renewal().node().equals(me.get())) {
        ports.store().declareDead(sighting.renewal());
      }
    }
    return NextRound.after(untilNextLook());
  }

  private void look(List<Renewal> alive) {
    long nowNanos = ports.monotonic().nanos();
    // Nodes may have had no way to renew while this one had none to look.
    boolean isInterrupted = nowNanos - lookedAtNanos > config.lapse().toNanos() / 2;
    Map<NodeId, Sighting> latest = HashMap.newHashMap(alive.size());
    for (Renewal renewal : alive) {
      Sighting before = sightings.get(renewal.node());
      latest.put(
          renewal.node(),
          isInterrupted || before == null || !before.renewal().equals(renewal)
              ? new Sighting(renewal, nowNanos)
              : before);
    }
    sightings = latest;
    lookedAtNanos = nowNanos;
  }

  /** Until the next sighting lapses, but no longer than between two renewals. */
  private Duration untilNextLook() {
    long nowNanos = ports.monotonic().nanos();
    long nextNanos = config.renewInterval().toNanos();
    for (Sighting sighting : sightings.values()) {
      long left = sighting.lapsesAtNanos() - nowNanos;
      nextNanos = left > 0 ? Math.min(nextNanos, left) : nextNanos;
    }
    return Duration.ofNanos(nextNanos);
  }
}
