package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.PeerReport;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.ReplicatedLogProvider;
import io.kairos.engine.replica.StateMachine;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Opens a {@link HashgraphReplica} for a program that finds it by {@code ServiceLoader}. */
public final class HashgraphProvider implements ReplicatedLogProvider {
  @Override
  public String kind() {
    return "hashgraph";
  }

  @Override
  public ReplicatedLog open(Opening opening, StateMachine machine, Consumer<Throwable> broken) {
    InetSocketAddress own = opening.addresses().get(opening.self().number());
    TlsKeys tls = opening.tls();
    HashgraphReplicaConfig config =
        new HashgraphReplicaConfig(
            new HashgraphConfig(
                opening.self(),
                opening.cluster(),
                HashgraphConfig.named(opening.clusterName(), opening.signing().all()),
                HashgraphConfig.Pace.DEFAULT,
                HashgraphConfig.Bounds.DEFAULT),
            new GossipConfig(
                opening.addresses(),
                new InetSocketAddress(own.getHostString(), own.getPort()),
                new PeerTls(tls.key(), tls.chain(), tls.trusted()),
                GossipConfig.Limits.DEFAULT),
            Path.of(opening.directory()),
            new Ed25519Keys(opening.signing().own(), opening.signing().all()),
            opening.hasForgotten());
    return HashgraphReplica.open(
        config, machine, opening.execution(), opening.bounds(), opening.surroundings(), broken);
  }

  /** Why requests of this replica cannot be expected to be ordered; empty when they can. */
  static Optional<String> obstacle(HashgraphConfig config, HashgraphStatus status) {
    if (status.isSilent()) {
      return Optional.of(
          "this replica once lost its journal; it says nothing until all that it has forgotten is ancient and others have come to its round: call another replica meanwhile");
    }
    long together =
        status.peers().stream().filter(peer -> isConnected(config.self(), peer)).count();
    return together >= config.quorum()
        ? Optional.empty()
        : Optional.of(
            "%d of %d replicas reach each other, this one included, and %d must: those at replica.peers are away, or have other keys or certificates"
                .formatted(together, config.cluster().size(), config.quorum()));
  }

  private static boolean isConnected(ReplicaId self, HashgraphStatus.Peer peer) {
    return peer.replica().equals(self) || (peer.isHeard() && peer.isReached());
  }

  static PeerReport report(HashgraphConfig config, HashgraphStatus status) {
    return new PeerReport(
        status.round(),
        status.agreed(),
        status.isSilent(),
        status.forkers(),
        status.peers().stream().map(peer -> report(config.self(), peer)).toList(),
        counts(LinkFault.class, status.strangers(), new TreeMap<>()));
  }

  private static PeerReport.Peer report(ReplicaId self, HashgraphStatus.Peer peer) {
    SortedMap<String, Long> counts = counts(Occurrence.class, peer.occurrences(), new TreeMap<>());
    return new PeerReport.Peer(
        peer.replica(),
        peer.round(),
        isConnected(self, peer),
        counts(LinkFault.class, peer.faults(), counts));
  }

  /** Adds all kinds, in lower case, also those that are not counted yet. */
  private static <E extends Enum<E>> SortedMap<String, Long> counts(
      Class<E> kinds, Map<E, Long> counted, SortedMap<String, Long> all) {
    for (E kind : EnumSet.allOf(kinds)) {
      all.put(kind.name().toLowerCase(Locale.ROOT), counted.getOrDefault(kind, 0L));
    }
    return all;
  }
}
