package io.kairos.engine.delay;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.time.Monotonic;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which life this node lives at the moment. Written by the liveness step alone, read by all. */
final class Membership {
  private final Monotonic monotonic;
  private volatile @Nullable Incarnation current;
  private volatile boolean clockWithinBound = true;
  private volatile boolean closed;

  Membership(Monotonic monotonic) {
    this.monotonic = monotonic;
  }

  /**
   * The life in which the node may act now; empty before it is enrolled and after it has lapsed.
   */
  Optional<Incarnation> acting() {
    return Optional.ofNullable(current)
        .filter(incarnation -> incarnation.mayAct(monotonic.nanos()));
  }

  @Nullable Incarnation current() {
    return current;
  }

  Optional<NodeId> id() {
    return Optional.ofNullable(current).map(Incarnation::id);
  }

  /**
   * Begins a life.
   *
   * @return false when this node has stopped: no life begins any more
   */
  synchronized boolean begin(Incarnation incarnation) {
    if (closed) {
      return false;
    }
    current = incarnation;
    return true;
  }

  void end() {
    Incarnation ending = current;
    if (ending != null) {
      ending.end();
      current = null;
    }
  }

  /** Ends the life, and no other begins: the node stops. */
  synchronized void close() {
    closed = true;
    end();
  }

  boolean isClosed() {
    return closed;
  }

  void clockWithinBound(boolean within) {
    clockWithinBound = within;
  }

  boolean isClockWithinBound() {
    return clockWithinBound;
  }
}
