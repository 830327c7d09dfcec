package io.kairos.engine.delay;

import io.kairos.engine.delay.port.Claimed;
import org.jspecify.annotations.Nullable;

/** One claimed message in the memory of this node. {@link Holding} guards every field. */
final class Held {
  /** Where a held message stands. */
  enum Stage {
    /** In the wheel, or in the queue of its lane: its firing has not begun. */
    WAITING,
    /**
     * Handed to the publisher and not yet deleted, or perhaps sent by an earlier holder: too late
     * to amend.
     */
    BEGUN,
    /** Taken out of its lane and on its way back to the store: not fired, not amended here. */
    LEAVING,
    /** Taken out of the wheel and its lane; not this node's to fire any more. */
    WITHDRAWN
  }

  private final Claimed claimed;
  private final int sizeBytes;

  Stage stage = Stage.WAITING;

  /** On its way out, itself or as a dead letter: sent and not come back. */
  boolean sent;

  /** True once the broker has it: it is being deleted. */
  boolean acknowledged;

  /** The lane in whose queue it waits, null while in the wheel. */
  @Nullable Lane lane;

  /** Next entry in the same slot of the wheel. */
  @Nullable Held next;

  Held(Claimed claimed) {
    this.claimed = claimed;
    this.sizeBytes = claimed.message().sizeBytes();
  }

  Claimed claimed() {
    return claimed;
  }

  int sizeBytes() {
    return sizeBytes;
  }

  /** Since when it could have been fired: peers count the hold time from then. */
  long heldSinceMicros() {
    return Math.max(claimed.fence().readiedAtMicros(), dueMicros());
  }

  long dueMicros() {
    return claimed.message().dueMicros();
  }
}
