package io.kairos.engine.delay.memory;

import io.kairos.domain.delay.Fence;
import io.kairos.engine.delay.port.ClaimedMessage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Messages that were released under fences whose claims have an unknown outcome. Reading such a
 * fence back must not bring a message into memory again that was deleted after the store was read.
 * A fence is in doubt for no longer than an unfinished statement can still take effect. {@link
 * MessageHolding} guards this class.
 */
final class ClaimDoubts {
  private final Map<Fence, Set<MessageKey>> releasedUnder = new HashMap<>();

  void begin(Fence fence) {
    releasedUnder.computeIfAbsent(fence, _ -> new HashSet<>());
  }

  void end(Fence fence) {
    releasedUnder.remove(fence);
  }

  void released(ClaimedMessage claim) {
    Set<MessageKey> released = releasedUnder.get(claim.fence());
    if (released != null) {
      released.add(MessageKey.of(claim));
    }
  }

  boolean isReleased(ClaimedMessage claim) {
    Set<MessageKey> released = releasedUnder.get(claim.fence());
    return released != null && released.contains(MessageKey.of(claim));
  }
}
