package io.kairos.engine.delay;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.Suspect;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.node.Incarnation;
import io.kairos.engine.node.LivenessStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The reference's failure detection (CH-31…35), here the backstop behind liveness: messages held
 * longer than the hold time go back to waiting, whoever holds them, this node's own included if it
 * has lost sight of them. Listing and resetting are two statements so that the suspect can be
 * named; the second compares the pair. A node reaps only while it can publish itself, and has for a
 * whole hold time: after an outage of the broker the holders get the first chance. A holder that is
 * alive knows what it holds, and gives back in time what it cannot send ({@link Holding#overflow}),
 * so it gets more patience.
 */
final class BackstopStep implements Step {
  /**
   * Hold times that another live node gets: two of them in a lane that answers slowly, a publish
   * timeout in flight, and the time to give much back.
   */
  private static final int LIVE_HOLD_TIMES = 4;

  private final NodeContext node;
  private final DelayConfig.Detection config;
  private final MessageStore messages;
  private final LivenessStore liveness;
  private final Map<RouteId, Long> publishableSinceNanos = new LinkedHashMap<>();

  BackstopStep(NodeContext node, MessageStore messages, LivenessStore liveness) {
    this.node = node;
    this.config = node.config().detection();
    this.messages = messages;
    this.liveness = liveness;
  }

  @Override
  public String name() {
    return "backstop";
  }

  @Override
  public Next runOnce() {
    Set<RouteId> routes = trusted();
    Optional<Incarnation> acting = node.membership().acting();
    if (routes.isEmpty() || acting.isEmpty()) {
      return Next.after(config.interval());
    }
    List<Suspect> suspects =
        new ArrayList<>(messages.overheld(routes, config.holdTime(), config.batch()));
    boolean more = suspects.size() >= config.batch();
    suspects.removeIf(
        suspect -> node.holding().holds(suspect.route(), suspect.id(), suspect.fence()));
    sparePeers(suspects, acting.get().id(), routes);
    if (suspects.isEmpty()) {
      return Next.after(config.interval());
    }
    List<Suspect> reset = messages.reset(suspects);
    Map<NodeId, List<Suspect>> byHolder = new LinkedHashMap<>();
    for (Suspect suspect : reset) {
      byHolder.computeIfAbsent(suspect.fence().readiedBy(), h -> new ArrayList<>()).add(suspect);
    }
    byHolder.forEach(node.events()::suspected);
    return (more && !reset.isEmpty() ? Next.AT_ONCE : Next.after(config.interval()))
        .having(reset.size());
  }

  private void sparePeers(List<Suspect> suspects, NodeId me, Set<RouteId> routes) {
    if (suspects.stream().allMatch(suspect -> suspect.fence().readiedBy().equals(me))) {
      return;
    }
    Set<NodeId> peers = new HashSet<>(liveness.alive());
    peers.remove(me);
    if (suspects.stream().anyMatch(suspect -> peers.contains(suspect.fence().readiedBy()))) {
      Duration patience = config.holdTime().multipliedBy(LIVE_HOLD_TIMES);
      Set<Suspect> stuck = Set.copyOf(messages.overheld(routes, patience, config.batch()));
      suspects.removeIf(
          suspect -> peers.contains(suspect.fence().readiedBy()) && !stuck.contains(suspect));
    }
  }

  private Set<RouteId> trusted() {
    long nowNanos = node.monotonic().nanos();
    Set<RouteId> publishable = node.holding().publishableRoutes(nowNanos);
    publishableSinceNanos.keySet().retainAll(publishable);
    Set<RouteId> trusted = new HashSet<>();
    for (RouteId route : publishable) {
      long since = publishableSinceNanos.computeIfAbsent(route, r -> nowNanos);
      if (nowNanos - since >= config.holdTime().toNanos()) {
        trusted.add(route);
      }
    }
    return trusted;
  }
}
