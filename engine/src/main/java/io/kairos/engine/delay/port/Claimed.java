package io.kairos.engine.delay.port;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;

/**
 * A message that the store shows as held under this fence.
 *
 * @param amended true when amendments of it wait for the holder's decision
 * @param maybeFired true when an earlier holder, which was suspected of failure, may have sent it:
 *     amendments of it are too late
 */
public record Claimed(DelayedMessage message, Fence fence, boolean amended, boolean maybeFired) {
  public Claimed(DelayedMessage message, Fence fence) {
    this(message, fence, false, false);
  }

  /** The same, its sending having been tried without an answer. */
  public Claimed asMaybeFired() {
    return new Claimed(message, fence, amended, true);
  }
}
