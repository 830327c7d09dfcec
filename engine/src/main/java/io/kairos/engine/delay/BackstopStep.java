package io.kairos.engine.delay;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.memory.MessageHolding;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.LivenessStore.Renewal;
import io.kairos.engine.node.NodeIncarnation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Returns messages that were held longer than the hold time to waiting, whoever holds them. This is
 * the backstop behind liveness: it also finds messages that this node itself has claimed and does
 * not know of. Listing and resetting are two statements so that the suspect can be named; the
 * second one compares the fence. A node resets messages of a route only after it could publish to
 * the route's output for a whole hold time: after an outage of the broker the holders get the first
 * chance, and so they do after an outage of the store. A holder that is alive gives back in time
 * the messages that it cannot send ({@link MessageHolding#overflow}), so its messages are reset
 * later.
 */
final class BackstopStep {
  /**
   * Hold times after which messages of another live node are reset: two for a lane that answers
   * slowly, and the rest for a publish timeout in flight and for giving back a large overflow.
   */
  private static final int LIVE_HOLD_TIMES = 4;

  private final DelayContext node;
  private final DelayConfig.Detection config;
  private final MessageStore messages;
  private final LivenessStore liveness;
  private final Map<RouteId, Long> publishableSinceNanos = new LinkedHashMap<>();

  BackstopStep(DelayContext node, MessageStore messages, LivenessStore liveness) {
    this.node = node;
    this.config = node.config().detection();
    this.messages = messages;
    this.liveness = liveness;
  }

  NextRound runOnce() {
    Set<RouteId> routes = trusted();
    Optional<NodeIncarnation> acting = node.membership().acting();
    if (routes.isEmpty() || acting.isEmpty()) {
      return NextRound.after(config.interval());
    }
    List<LongHeldMessage> suspects = new ArrayList<>(overheld(routes, config.holdTime()));
    boolean more = suspects.size() >= config.batch();
    suspects.removeIf(
        suspect -> node.holding().holds(suspect.route(), suspect.id(), suspect.fence()));
    sparePeers(suspects, acting.get().id(), routes);
    if (suspects.isEmpty()) {
      return NextRound.after(config.interval());
    }
    List<LongHeldMessage> reset = messages.reset(suspects);
    Map<NodeId, List<LongHeldMessage>> byHolder = new LinkedHashMap<>();
    for (LongHeldMessage suspect : reset) {
      byHolder.computeIfAbsent(suspect.fence().readiedBy(), h -> new ArrayList<>()).add(suspect);
    }
    byHolder.forEach(node.events()::suspected);
    return (more && !reset.isEmpty() ? NextRound.AT_ONCE : NextRound.after(config.interval()))
        .having(reset.size());
  }

  private void sparePeers(List<LongHeldMessage> suspects, NodeId me, Set<RouteId> routes) {
    if (suspects.stream().allMatch(suspect -> suspect.fence().readiedBy().equals(me))) {
      return;
    }
    Set<NodeId> peers =
        liveness.alive().stream().map(Renewal::node).collect(Collectors.toCollection(HashSet::new));
    peers.remove(me);
    if (suspects.stream().anyMatch(suspect -> peers.contains(suspect.fence().readiedBy()))) {
      Duration patience = config.holdTime().multipliedBy(LIVE_HOLD_TIMES);
      Set<LongHeldMessage> stuck = Set.copyOf(overheld(routes, patience));
      suspects.removeIf(
          suspect -> peers.contains(suspect.fence().readiedBy()) && !stuck.contains(suspect));
    }
  }

  /** None before this node has watched the store's clock for as long. */
  private List<LongHeldMessage> overheld(Set<RouteId> routes, Duration holdTime) {
    OptionalLong believed = node.membership().believedMicros(holdTime);
    return believed.isEmpty()
        ? List.of()
        : messages.overheld(
            routes, believed.getAsLong() - EpochMicros.lengthOf(holdTime), config.batch());
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
