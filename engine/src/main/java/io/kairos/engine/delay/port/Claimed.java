package io.kairos.engine.delay.port;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;

/**
 * A message that the store shows as held under this fence.
 *
 * @param amended true when amendments of it wait for the holder's decision
 */
public record Claimed(DelayedMessage message, Fence fence, boolean amended) {
  public Claimed(DelayedMessage message, Fence fence) {
    this(message, fence, false);
  }
}
