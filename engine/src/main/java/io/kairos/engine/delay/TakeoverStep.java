package io.kairos.engine.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.memory.MessageHolding.Room;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.LivenessStore.Departed;
import io.kairos.engine.node.NodeIncarnation;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Takes over the messages of nodes that retired or were declared dead. Works in due order, in
 * bounded batches, as far as memory has room, by compare-and-set from the old fence to this node's.
 * Runs on every node; nodes skip rows that another node has locked. Failure is suspected, never
 * known: the old holder may still be sending.
 */
final class TakeoverStep {
  private final DelayContext node;
  private final DelayConfig config;
  private final MessageStore messages;
  private final AmendmentStore amendments;
  private final LivenessStore liveness;
  private final MessageClaims claims;

  /** Number of messages that this round has taken over. */
  private int done;

  TakeoverStep(
      DelayContext node,
      MessageStore messages,
      AmendmentStore amendments,
      LivenessStore liveness,
      MessageClaims claims) {
    this.node = node;
    this.config = node.config();
    this.messages = messages;
    this.amendments = amendments;
    this.liveness = liveness;
    this.claims = claims;
  }

  NextRound runOnce() {
    return node.whileActing(config.detection().interval(), this::round);
  }

  private NextRound round(NodeIncarnation acting) {
    done = 0;
    boolean more = false;
    for (Departed departed : liveness.departed()) {
      more |= takeOver(acting, departed);
    }
    if (more) {
      return NextRound.AT_ONCE.having(done);
    }
    liveness.bury(config.detection().holdTime().plus(config.detection().unknownOutcomeFor()));
    return NextRound.after(config.detection().interval()).having(done);
  }

  private boolean takeOver(NodeIncarnation incarnation, Departed departed) {
    NodeId from = departed.node();
    if (from.equals(incarnation.id()) || !incarnation.mayAct(node.monotonic().nanos())) {
      return false; // this node itself was declared dead, as the liveness step will find
    }
    if (node.holding().hasSends(from)) {
      return false; // a former life of this node: what it has sent is settled first
    }
    amendments.adoptUntold(from, incarnation.id(), node.routes().ids());
    Set<RouteId> routes = node.holding().publishableRoutes(node.monotonic().nanos());
    Room room = node.holding().roomDue();
    if (routes.isEmpty() || room.isEmpty()) {
      return false;
    }
    long nowMicros = EpochMicros.of(node.clock().instant());
    // The old holder's clock may have been ahead of this one by the bound and by its advance.
    long maybeFiredMicros =
        nowMicros
            + EpochMicros.lengthOf(
                config.liveness().clockBound().multipliedBy(2).plus(longestAdvance()));
    Fence fence = new Fence(incarnation.id(), incarnation.nextStamp(nowMicros));
    ClaimRequest request =
        new ClaimRequest(
            fence,
            routes,
            Long.MAX_VALUE,
            Math.min(config.detection().batch(), room.messages()),
            room.bytes());
    List<ClaimedMessage> taken =
        claims.claim(incarnation, fence, () -> messages.takeOver(from, request, maybeFiredMicros));
    if (!taken.isEmpty()) {
      node.events().takenOver(from, departed.retired(), taken);
      done += taken.size();
    }
    return taken.size() == request.maxMessages();
  }

  private Duration longestAdvance() {
    return switch (config.firing().advance()) {
      case DelayConfig.Advance.Adaptive(Duration atMost) -> atMost;
      case DelayConfig.Advance.Fixed(Duration length) -> length;
    };
  }
}
