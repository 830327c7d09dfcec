package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;

/**
 * A part of a node that holds something under its present life, as the delay queue holds messages.
 * Called on the thread of the liveness step.
 */
public interface LivingPart {
  /**
   * Whether the part makes progress. While it does not the node is not renewed, so that others take
   * over what it holds.
   */
  boolean isTurning();

  /** A life is about to begin: no step acts in it before this returns. */
  void begin(NodeId life);

  /** Steps may act in the life that was begun. */
  void begun();

  /** The life has ended: what was held under it may be another node's. */
  void end();
}
