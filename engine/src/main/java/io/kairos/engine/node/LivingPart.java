package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;

/**
 * A part of a node that holds claims under the node's present life, as the delay queue holds
 * messages. Called on the thread of the liveness step.
 */
public interface LivingPart {
  /**
   * True while the part makes progress. Otherwise the node's liveness is not renewed, so that other
   * nodes take over its claims.
   */
  boolean isTurning();

  /** Called before a life begins; no step acts in the life before this method returns. */
  void begin(NodeId life);

  /** Called when steps may act in the new life. */
  void begun();

  /** Called when the life has ended and other nodes may take over its claims. */
  void end();

  /**
   * True when nothing that the part did under an ended life waits to be stored any more. Until then
   * the life is not retired, so that nobody does it again at once; it is taken over when it lapses.
   */
  default boolean isSettled(NodeId former) {
    return true;
  }
}
