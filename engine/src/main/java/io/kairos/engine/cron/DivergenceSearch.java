package io.kairos.engine.cron;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ReplicasDivergedException;
import java.util.List;
import java.util.Optional;

/**
 * Finds the first difference between a replica and the others, for the message with which the
 * replica stops.
 */
public final class DivergenceSearch {
  private DivergenceSearch() {}

  /** Asks other replicas for their trails. */
  @FunctionalInterface
  public interface Peers {
    /** Returns the replica's trail; empty if the replica does not answer. May block. */
    List<RequestTrail.Step> trail(ReplicaId replica);
  }

  /**
   * Describes the divergence, with the first request and entry whose writes differ from another
   * replica's. Not called on the log's thread.
   *
   * @param own the trail of the replica that stops
   */
  public static String explain(
      ReplicasDivergedException diverged, List<RequestTrail.Step> own, Peers peers) {
    for (ReplicaId other : diverged.others()) {
      Optional<RequestTrail.Step> first = RequestTrail.firstDifference(own, peers.trail(other));
      if (first.isPresent()) {
        return "%s; the first difference that is known is from %s, at sequence %d: %s"
            .formatted(diverged.getMessage(), other, first.get().sequence(), first.get().place());
      }
    }
    return diverged.getMessage() + "; which request and entry began it is no longer known";
  }
}
