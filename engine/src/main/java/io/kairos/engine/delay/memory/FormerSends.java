package io.kairos.engine.delay.memory;

import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.ClaimedMessage;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages that former lives of this node have sent and not yet deleted. A message stays here until
 * its send fails or the store has confirmed the deletion, because its receiver may use the id again
 * at once. Bounded by the messages that were in flight or unsettled when a life ended. {@link
 * MessageHolding} guards this class.
 */
final class FormerSends {
  private final Map<RouteId, Map<MessageId, HeldMessage>> sent = new HashMap<>();

  /**
   * Adds a sent message. Replaces an older send of this id, whose row the newer claim has taken
   * over.
   */
  void add(HeldMessage held) {
    sent.computeIfAbsent(held.claimed().message().route(), _ -> new HashMap<>())
        .put(held.claimed().message().id(), held);
  }

  @Nullable HeldMessage find(RouteId route, MessageId id) {
    return sent.getOrDefault(route, Map.of()).get(id);
  }

  boolean hasAnyOf(NodeId life) {
    return sent.values().stream()
        .flatMap(ofRoute -> ofRoute.values().stream())
        .anyMatch(held -> held.claimed().fence().readiedBy().equals(life));
  }

  /** Removes a message that was not sent after all, or is refused. */
  void remove(HeldMessage held) {
    RouteId route = held.claimed().message().route();
    Map<MessageId, HeldMessage> ofRoute = sent.get(route);
    if (ofRoute != null
        && ofRoute.remove(held.claimed().message().id(), held)
        && ofRoute.isEmpty()) {
      sent.remove(route);
    }
  }

  /** Removes a message that the store has deleted, or that another node holds. */
  void remove(ClaimedMessage claim) {
    HeldMessage held = find(claim.message().route(), claim.message().id());
    if (held != null && held.claimed().fence().equals(claim.fence())) {
      remove(held);
    }
  }
}
