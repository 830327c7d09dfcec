package io.kairos.engine.pool.port;

import io.kairos.domain.task.queue.PoolName;

/**
 * This version cannot read a stored pool, perhaps because a newer version has written it. The pool
 * can still be deleted.
 */
public final class UnreadablePool extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnreadablePool(PoolName pool, RuntimeException why) {
    super("the pool " + pool + " cannot be read by this version: " + why.getMessage(), why);
  }
}
