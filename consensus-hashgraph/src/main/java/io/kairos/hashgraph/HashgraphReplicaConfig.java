package io.kairos.hashgraph;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/**
 * A replica as a part of a process.
 *
 * @param directory where this replica, and no other, keeps its journal
 * @param keys of this replica and of all, such as {@link Ed25519Keys}
 * @param hasForgotten true for a replica that has taken part before and has lost its journal, which
 *     must say nothing at first; without meaning once there is a journal, so that it may stay set
 */
public record HashgraphReplicaConfig(
    HashgraphConfig log,
    GossipConfig gossip,
    Path directory,
    EventKeys keys,
    boolean hasForgotten) {
  /** Throws {@link IllegalArgumentException} that names the fault. */
  public HashgraphReplicaConfig {
    requireNonNull(directory, "directory");
    requireNonNull(keys, "keys");
    require(
        gossip.peers().size() == log.cluster().size(),
        "there are addresses of %d replicas of %d"
            .formatted(gossip.peers().size(), log.cluster().size()));
  }
}
