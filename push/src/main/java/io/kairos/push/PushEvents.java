package io.kairos.push;

import io.kairos.domain.task.queue.PoolName;

/** Listener for metrics of pushing. Called on event loops; must not block. */
public interface PushEvents {
  /** An endpoint has answered. */
  void answered(PoolName pool, int status, long tookNanos);

  /** A request never reached its endpoint. */
  void notSent(PoolName pool);

  /** A request was sent, and its outcome is unknown. */
  void unknown(PoolName pool);

  /** An endpoint has been ejected. */
  void ejected(PoolName pool, String endpoint);

  /** An attempt goes on after its request was answered. */
  void goesOn(PoolName pool);

  /** An attempt was given up because its lease could not be extended. */
  void lost(PoolName pool);
}
