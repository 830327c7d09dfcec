package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import java.time.Duration;

/**
 * What a node tells about its lives: metrics, logs and tests listen here. Called on the thread of
 * the liveness step; must be quick, must not throw.
 */
public interface LivenessEvents {
  /** A listener that does nothing. */
  LivenessEvents NONE = new LivenessEvents() {};

  /** A new life of this node began. */
  default void enrolled(NodeId node) {}

  /** A life of this node ended because its liveness lapsed or its clock was out of bounds. */
  default void lapsed(NodeId node, String why) {}

  /** Store's clock minus node's clock. */
  default void clockOffset(Duration offset, boolean withinBound) {}
}
