package io.kairos.domain.cron.round;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Decides which replicas tick in which round: f+1 of them, so that one is correct, beginning after
 * the last one of the round before.
 */
public record TickRotation(ReplicaGroup cluster) {
  /** Returns how many replicas have their turn in a round. */
  public int turns() {
    return cluster.mayFail() + 1;
  }

  public boolean isInTurn(ReplicaId replica, long round) {
    return cluster.has(replica)
        && Math.floorMod(replica.number() - first(round), cluster.size()) < turns();
  }

  /** Returns the replicas of a round, in the order of their turns. */
  public List<ReplicaId> inTurn(long round) {
    return IntStream.range(0, turns())
        .mapToObj(turn -> new ReplicaId((first(round) + turn) % cluster.size()))
        .toList();
  }

  private int first(long round) {
    return Math.floorMod(round, cluster.size()) * turns() % cluster.size();
  }
}
