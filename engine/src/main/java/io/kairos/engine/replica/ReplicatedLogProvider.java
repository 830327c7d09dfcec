package io.kairos.engine.replica;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.time.MonotonicClock;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Opens a {@link ReplicatedLog} of a kind that is not part of the base program. Programs find it by
 * {@link java.util.ServiceLoader}, so that its libraries are needed only where it is used. Called
 * once by the thread that starts the replica.
 */
public interface ReplicatedLogProvider {
  /** The kind of log, as the setting {@code replica.log} names it. */
  String kind();

  /**
   * Starts a replica with its stored state.
   *
   * @param broken is notified once, on the log's thread, when an invariant is broken: this replica
   *     does nothing any more and must be closed
   * @throws IllegalArgumentException for settings that this log cannot work with; the message names
   *     what to do
   * @throws IllegalStateException if what the directory holds cannot be used; the message names
   *     what to do
   * @throws java.io.UncheckedIOException if the directory or the address cannot be used
   */
  ReplicatedLog open(Opening opening, StateMachine machine, Consumer<Throwable> broken);

  /**
   * One replica and its surroundings.
   *
   * @param clusterName the same for all replicas of the cluster, and for no other cluster
   * @param addresses where each replica listens for the others, unresolved, by their numbers
   * @param directory an existing directory that is this replica's alone, as a URI of a file
   * @param signing how replicas sign what they tell each other
   * @param hasForgotten true for a replica that has taken part before and has lost its journal
   * @param execution equal on all replicas
   * @param bounds of requests that are pending at this replica
   */
  record Opening(
      String clusterName,
      ReplicaId self,
      ReplicaGroup cluster,
      List<InetSocketAddress> addresses,
      URI directory,
      TlsKeys tls,
      SigningKeys signing,
      boolean hasForgotten,
      OrderedExecution.Config execution,
      RequestSubmissions.Bounds bounds,
      Surroundings surroundings) {
    public Opening {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * Keys for mutual TLS.
   *
   * @param key this replica's private key
   * @param chain its certificate, and those between it and a trusted one
   * @param trusted the certificates that are trusted
   */
  record TlsKeys(PrivateKey key, List<X509Certificate> chain, List<X509Certificate> trusted) {
    public TlsKeys {
      chain = List.copyOf(chain);
      trusted = List.copyOf(trusted);
    }

    /** The subject, without the key. */
    @Override
    public String toString() {
      return "TlsKeys[" + chain.getFirst().getSubjectX500Principal() + "]";
    }
  }

  /**
   * Keys for signatures that outlive a connection.
   *
   * @param own this replica's private key
   * @param all the public keys of all replicas, by their numbers
   */
  record SigningKeys(PrivateKey own, List<PublicKey> all) {
    public SigningKeys {
      all = List.copyOf(all);
    }

    /** Without the keys. */
    @Override
    public String toString() {
      return "SigningKeys[" + all.size() + " replicas]";
    }
  }

  /** The clocks and the chance of this process. */
  record Surroundings(InstantSource clock, MonotonicClock nanos, RandomGenerator random) {}
}
