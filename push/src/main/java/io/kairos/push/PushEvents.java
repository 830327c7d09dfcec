package io.kairos.push;

import io.kairos.domain.task.queue.PoolName;

/** Listener for metrics of pushing. Called on event loops; must not block. */
public interface PushEvents {
  /** Events that are only counted. */
  enum Counted {
    /** A request never reached its endpoint. */
    NOT_SENT,
    /** A request was sent, and its outcome is unknown. */
    UNKNOWN,
    /** An attempt goes on after its request was answered. */
    GOES_ON,
    /** An attempt was given up because its lease could not be extended. */
    LOST
  }

  void happened(Counted event);

  /** An endpoint has answered. */
  void answered(int status, long tookNanos);

  /** An endpoint has been ejected. */
  void ejected(PoolName pool, String endpoint);

  /** A pool can no longer be read by this node; this node pushes none of its tasks. */
  void unreadable(PoolName pool, RuntimeException why);
}
