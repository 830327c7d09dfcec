package io.kairos.server.push;

import io.kairos.domain.task.PoolName;

/** What pushing tells those who count. Called on event loops; must not block. */
public interface PushEvents {
  /** An endpoint has answered. */
  void answered(PoolName pool, int status, long tookNanos);

  /** A request never reached its endpoint. */
  void notSent(PoolName pool);

  /** A request was sent, and what became of it is not known. */
  void unknown(PoolName pool);

  /** An endpoint is left out from now on. */
  void ejected(PoolName pool, String endpoint);

  /** An attempt goes on after its request was answered. */
  void goesOn(PoolName pool);

  /** Attempts were given up because their lease could not be kept. */
  void lost(PoolName pool);
}
