package io.kairos.engine.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.Holding.Room;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.node.Incarnation;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.LivenessStore.Departed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Takes over what nodes hold that are gone: lapsed by the store's clock, or retired of themselves.
 * In due order, in bounded batches, from the old pair to one's own, as far as memory has room. Runs
 * on every node; rows are divided by whoever locks them first. Failure is suspected, never known
 * (CH-34, CH-53): the old holder may still be sending.
 */
final class TakeoverStep implements Step {
  private final NodeContext node;
  private final DelayConfig config;
  private final MessageStore messages;
  private final AmendmentStore amendments;
  private final LivenessStore liveness;
  private final Claims claims;

  /** How many messages this round has taken over. */
  private int done;

  TakeoverStep(
      NodeContext node,
      MessageStore messages,
      AmendmentStore amendments,
      LivenessStore liveness,
      Claims claims) {
    this.node = node;
    this.config = node.config();
    this.messages = messages;
    this.amendments = amendments;
    this.liveness = liveness;
    this.claims = claims;
  }

  @Override
  public String name() {
    return "takeover";
  }

  @Override
  public Next runOnce() {
    Optional<Incarnation> acting = node.membership().acting();
    if (acting.isEmpty()) {
      return Next.after(config.detection().interval());
    }
    done = 0;
    boolean more = false;
    for (Departed departed : liveness.departed()) {
      if (departed.retired() || acting.get().mayJudge(node.monotonic().nanos())) {
        more |= takeOver(acting.get(), departed);
      }
    }
    if (more) {
      return Next.AT_ONCE.having(done);
    }
    liveness.bury(config.detection().holdTime().plus(config.detection().unknownOutcomeFor()));
    return Next.after(config.detection().interval()).having(done);
  }

  private boolean takeOver(Incarnation incarnation, Departed departed) {
    NodeId from = departed.node();
    if (from.equals(incarnation.id()) || !incarnation.mayAct(node.monotonic().nanos())) {
      return false; // it is this node that lapsed: the liveness step will find out
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
    List<Claimed> taken =
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
