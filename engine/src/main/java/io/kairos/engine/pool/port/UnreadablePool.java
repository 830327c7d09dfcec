package io.kairos.engine.pool.port;

import io.kairos.domain.task.queue.PoolName;

/**
 * This node cannot read a stored pool, perhaps because a newer version has written it, or because
 * its secret is encrypted with a key that this node does not have. The pool can still be deleted.
 */
public final class UnreadablePool extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnreadablePool(PoolName pool, RuntimeException why) {
    super("the pool " + pool + " cannot be read by this node: " + why.getMessage(), why);
  }
}
