package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import java.time.Duration;

/**
 * Listener to the lives of a node, for metrics, logs and tests. Called on the thread of the
 * liveness step; must be quick and must not throw.
 */
public interface LivenessEvents {
  /** A listener that does nothing. */
  LivenessEvents NONE = new LivenessEvents() {};

  /** A new life of this node began. */
  default void enrolled(NodeId node) {}

  /** A life of this node ended because its liveness lapsed or its clock was out of bounds. */
  default void lapsed(NodeId node, String why) {}

  /** The node compared the clocks; {@code offset} is the store's clock minus the node's clock. */
  default void clockOffset(Duration offset, boolean withinBound) {}
}
