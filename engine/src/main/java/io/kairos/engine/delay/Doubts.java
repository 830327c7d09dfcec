package io.kairos.engine.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.engine.delay.port.Claimed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What was released under fences whose claims are in doubt: reading such a fence back must not
 * bring a message again that was deleted after the store was read. {@link Holding} guards it; a
 * fence is in doubt for no longer than an unfinished statement can still take effect.
 */
final class Doubts {
  private final Map<Fence, Set<Key>> releasedUnder = new HashMap<>();

  private record Key(RouteId route, MessageId id) {
    static Key of(Claimed claim) {
      return new Key(claim.message().route(), claim.message().id());
    }
  }

  void begin(Fence fence) {
    releasedUnder.computeIfAbsent(fence, _ -> new HashSet<>());
  }

  void end(Fence fence) {
    releasedUnder.remove(fence);
  }

  void released(Claimed claim) {
    Set<Key> released = releasedUnder.get(claim.fence());
    if (released != null) {
      released.add(Key.of(claim));
    }
  }

  boolean isReleased(Claimed claim) {
    Set<Key> released = releasedUnder.get(claim.fence());
    return released != null && released.contains(Key.of(claim));
  }
}
