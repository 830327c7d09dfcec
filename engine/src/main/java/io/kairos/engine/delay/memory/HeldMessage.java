package io.kairos.engine.delay.memory;

import io.kairos.engine.delay.port.ClaimedMessage;
import org.jspecify.annotations.Nullable;

/** One claimed message in the memory of this node. {@link MessageHolding} guards every field. */
public final class HeldMessage {
  /** Progress of a held message. */
  enum Stage {
    /** In the wheel, or in the queue of its lane: its firing has not begun. */
    WAITING,
    /**
     * Handed to the publisher and not yet deleted, or perhaps sent by an earlier holder: too late
     * to amend.
     */
    BEGUN,
    /** Taken out of its lane and on its way back to the store: neither fired nor amended here. */
    LEAVING,
    /** Taken out of the wheel and its lane: this node does not fire it any more. */
    WITHDRAWN
  }

  private final ClaimedMessage claimed;
  private final int sizeBytes;

  Stage stage = Stage.WAITING;

  /** True once the message or its dead letter was sent, until the send fails. */
  boolean sent;

  /** True once the broker has acknowledged the message or its dead letter. */
  boolean acknowledged;

  /** The lane in whose queue the message waits, null while it is in the wheel. */
  @Nullable OutputLane lane;

  /** Next entry in the same slot of the wheel. */
  @Nullable HeldMessage next;

  HeldMessage(ClaimedMessage claimed) {
    this.claimed = claimed;
    this.sizeBytes = claimed.message().sizeBytes();
  }

  public ClaimedMessage claimed() {
    return claimed;
  }

  int sizeBytes() {
    return sizeBytes;
  }

  /**
   * The time from which peers count the hold time: the later of claim and due time, in
   * microseconds.
   */
  long heldSinceMicros() {
    return Math.max(claimed.fence().readiedAtMicros(), dueMicros());
  }

  long dueMicros() {
    return claimed.message().dueMicros();
  }
}
