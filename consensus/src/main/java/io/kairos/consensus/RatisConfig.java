package io.kairos.consensus;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.OrderedExecution;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * One replica of a cluster.
 *
 * @param clusterName the same for all replicas: those of others are not listened to
 * @param replicas where each listens, in the order of their numbers; the same for all
 * @param directory for this replica alone; its log is in the folder {@code log}
 * @param tls between replicas; empty for none, which only a network that nobody else reaches allows
 */
public record RatisConfig(
    String clusterName,
    ReplicaId self,
    List<ReplicaAddress> replicas,
    Path directory,
    Optional<TlsFiles> tls,
    OrderedExecution.Config execution,
    Limits limits) {

  /**
   * How long things take, and how much there may be.
   *
   * @param electionAfter a follower stands for election when it has not heard of a leader for
   *     between this and twice this
   * @param snapshotEvery so many entries of the log, the state is kept and the log before it
   *     forgotten
   * @param answerWithin what is not executed by then is answered as unknown
   * @param maxPending requests of this replica that are not answered; what is more is answered as
   *     unknown at once
   */
  public record Limits(
      Duration electionAfter, long snapshotEvery, Duration answerWithin, int maxPending) {
    public static final Limits DEFAULT =
        new Limits(Duration.ofMillis(150), 10_000, Duration.ofSeconds(10), 10_000);

    /** Throws {@link IllegalArgumentException} that names what is out of range. */
    public Limits {
      if (electionAfter.toMillis() < 10 || answerWithin.toMillis() < 100) {
        throw new IllegalArgumentException(
            "an election takes 10 ms at least and an answer 100 ms: %s, %s"
                .formatted(electionAfter, answerWithin));
      }
      if (snapshotEvery < 1 || maxPending < 1) {
        throw new IllegalArgumentException(
            "entries between snapshots and requests are counted from 1: %d, %d"
                .formatted(snapshotEvery, maxPending));
      }
    }
  }

  /** Throws {@link IllegalArgumentException} that names what is wrong. */
  public RatisConfig {
    requireNonNull(directory, "directory");
    requireNonNull(tls, "tls");
    requireNonNull(execution, "execution");
    requireNonNull(limits, "limits");
    replicas = List.copyOf(replicas);
    if (clusterName.isBlank()) {
      throw new IllegalArgumentException("a cluster has a name");
    }
    if (self.number() >= replicas.size()) {
      throw new IllegalArgumentException(
          self + " is none of the " + replicas.size() + " replicas, which are numbered from 0");
    }
    if (new HashSet<>(replicas).size() < replicas.size()) {
      throw new IllegalArgumentException("two replicas listen at one address: " + replicas);
    }
  }

  /** How many replicas there are, and what they are trusted with. */
  public Cluster cluster() {
    return new Cluster(replicas.size(), Cluster.Faults.CRASH);
  }
}
