package io.kairos.engine.cron;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ReplicasParted;
import java.util.List;
import java.util.Optional;

/** Finds out where a replica has parted from the others, for the message with which it stops. */
public final class Parting {
  private Parting() {}

  /** Asks other replicas for their trails. */
  @FunctionalInterface
  public interface Peers {
    /** What the last requests have written there; empty if it does not answer. May block. */
    List<Trail.Step> trail(ReplicaId replica);
  }

  /**
   * Says what has happened, with the first request and entry that wrote something else than at
   * another replica. Not on the log's thread.
   *
   * @param own the trail of the replica that stops
   */
  public static String explain(ReplicasParted parted, List<Trail.Step> own, Peers peers) {
    for (ReplicaId other : parted.others()) {
      Optional<Trail.Step> first = Trail.firstDifference(own, peers.trail(other));
      if (first.isPresent()) {
        return "%s; the first difference that is known is from %s, at sequence %d: %s"
            .formatted(parted.getMessage(), other, first.get().sequence(), first.get().place());
      }
    }
    return parted.getMessage() + "; which request and entry began it is no longer known";
  }
}
