package io.kairos.server.edge.cron;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.ReplicaId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A replica's place among the others.
 *
 * @param cluster its name
 * @param peers all replicas, itself too, in the order of their numbers
 * @param leader who leads, as far as it knows; null when it knows nobody
 */
public record ReplicaFacts(
    String cluster, ReplicaId self, List<Peer> peers, @Nullable ReplicaId leader) {
  public ReplicaFacts {
    requireNonNull(cluster, "cluster");
    requireNonNull(self, "self");
    peers = List.copyOf(peers);
  }

  /**
   * Where a replica is found.
   *
   * @param logAddress by other replicas, host:port
   * @param edgeAddress by operators and clients, host:port; empty when that is not configured
   */
  public record Peer(ReplicaId id, String logAddress, String edgeAddress) {
    public Peer {
      requireNonNull(id, "id");
      requireNonNull(logAddress, "logAddress");
      requireNonNull(edgeAddress, "edgeAddress");
    }
  }
}
