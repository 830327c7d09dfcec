package io.kairos.engine.delay;

import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.engine.delay.port.Claimed;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What former lives of this node have sent and not yet deleted: no longer held, but known until the
 * send fails or the store has confirmed, because its receiver may use the id again at once. {@link
 * Holding} guards it; bounded by what was in flight and unsettled when the life ended.
 */
final class FormerSends {
  private final Map<RouteId, Map<MessageId, Held>> sent = new HashMap<>();

  /** An older send of the same id is forgotten: its row had gone over to this one's claim. */
  void add(Held held) {
    sent.computeIfAbsent(held.claimed().message().route(), _ -> new HashMap<>())
        .put(held.claimed().message().id(), held);
  }

  @Nullable Held find(RouteId route, MessageId id) {
    return sent.getOrDefault(route, Map.of()).get(id);
  }

  /** It has not been sent after all, or stands aside. */
  void remove(Held held) {
    RouteId route = held.claimed().message().route();
    Map<MessageId, Held> ofRoute = sent.get(route);
    if (ofRoute != null
        && ofRoute.remove(held.claimed().message().id(), held)
        && ofRoute.isEmpty()) {
      sent.remove(route);
    }
  }

  /** The store has deleted it, or it is somebody else's. */
  void remove(Claimed claim) {
    Held held = find(claim.message().route(), claim.message().id());
    if (held != null && held.claimed().fence().equals(claim.fence())) {
      remove(held);
    }
  }
}
