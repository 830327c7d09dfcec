package io.kairos.edge.cron;

import io.kairos.domain.replica.ReplicaId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A replica's place in its cluster.
 *
 * @param cluster name of the cluster
 * @param peers all replicas, this one included, in the order of their numbers
 * @param hasTime whether its ticks have a time
 * @param leader the leader that this replica knows; null when it knows none
 */
public record ReplicaFacts(
    String cluster, ReplicaId self, List<Peer> peers, boolean hasTime, @Nullable ReplicaId leader) {
  public ReplicaFacts {
    peers = List.copyOf(peers);
  }

  /**
   * The addresses of a replica.
   *
   * @param logAddress host:port for other replicas
   * @param edgeAddress host:port for operators and clients; empty when it is not configured
   */
  public record Peer(ReplicaId id, String logAddress, String edgeAddress) {}
}
