package io.kairos.engine.delay.port;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;

/**
 * A message that the store shows as held under this fence.
 *
 * @param amended true when amendments of it wait for the holder's decision
 * @param maybeFired true when the message may have been sent before: amendments of it are too late
 */
public record ClaimedMessage(
    DelayedMessage message, Fence fence, boolean amended, boolean maybeFired) {
  public ClaimedMessage(DelayedMessage message, Fence fence) {
    this(message, fence, false, false);
  }

  /** This message, marked as perhaps sent. */
  public ClaimedMessage asMaybeFired() {
    return new ClaimedMessage(message, fence, amended, true);
  }
}
