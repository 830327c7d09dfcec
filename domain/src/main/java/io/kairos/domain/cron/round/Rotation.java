package io.kairos.domain.cron.round;

import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.ReplicaId;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which replicas tick in which round: F+1 of them, so that one is correct, starting where the round
 * before ended.
 */
public record Rotation(Cluster cluster) {
  /** How many replicas have their turn in a round. */
  public int turns() {
    return cluster.mayFail() + 1;
  }

  public boolean isInTurn(ReplicaId replica, long round) {
    return cluster.has(replica)
        && Math.floorMod(replica.number() - first(round), cluster.size()) < turns();
  }

  /** In the order of their turns. */
  public List<ReplicaId> inTurn(long round) {
    return IntStream.range(0, turns())
        .mapToObj(turn -> new ReplicaId((first(round) + turn) % cluster.size()))
        .toList();
  }

  private int first(long round) {
    return Math.floorMod(round, cluster.size()) * turns() % cluster.size();
  }
}
