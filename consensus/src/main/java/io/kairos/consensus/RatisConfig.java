package io.kairos.consensus;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import io.kairos.engine.setting.ValueFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Settings of one replica of a cluster.
 *
 * @param tls TLS between replicas; empty for none, which is only safe on a private network
 */
public record RatisConfig(
    @Setting(
            key = "replica.cluster",
            defaultValue = "kairos",
            format = ClusterNameFormat.class,
            description =
                "Name of the cluster, the same for all of its replicas; those of others are not listened to. Part of the ids by which tasks, messages and pushes are known outside.")
        String clusterName,
    @Setting(
            key = ID,
            defaultValue = "0",
            format = ReplicaNumberFormat.class,
            description = "Number of this replica: which of replica.peers it is, counted from 0.")
        ReplicaId self,
    @Setting(
            key = PEERS,
            defaultValue = "127.0.0.1:7172",
            format = ReplicaAddress.Format.class,
            description =
                "Where each replica listens for the others, as host:port, in the order of their numbers and the same for all. One, three or five with ratis: an even number bears no more failures than one less, and two are refused. Four, seven or ten with hashgraph. Fixed for the life of the cluster.")
        List<ReplicaAddress> replicas,
    @Setting(
            key = DATA_DIRECTORY,
            defaultValue = "kairos-replica",
            description =
                "Where this replica, and no other, keeps its log and state. A relative path counts from the current folder.")
        Path directory,
    Optional<TlsFiles> tls,
    OrderedExecution.Config execution,
    Limits limits) {
  public static final String ID = "replica.id";
  public static final String PEERS = "replica.peers";
  public static final String DATA_DIRECTORY = "replica.data-dir";
  private static final String ELECTION_AFTER = "replica.election-after";
  private static final String ELECTION_WITHIN = "replica.election-within";
  private static final String SNAPSHOT_EVERY = "replica.snapshot-every";
  private static final String TICKS_PER_SECOND = "replica.ticks-per-second";

  /** Timeouts and bounds. */
  public record Limits(
      @Setting(
              key = ELECTION_AFTER,
              defaultValue = "0.2s",
              min = "0.01s",
              description =
                  "Only with replica.log: ratis. A replica that has not heard of a leader for this long stands for election at a random moment before replica.election-within. A leader is heard of every half of it. Several times what a message between replicas takes.")
          Duration electionAfter,
      @Setting(
              key = ELECTION_WITHIN,
              defaultValue = "1s",
              min = "0.02s",
              description =
                  "Only with replica.log: ratis. The longest time without a leader after which a replica stands for election. A leader that no majority has answered for this long gives up; so it is longer than a machine under load keeps a process waiting.")
          Duration electionWithin,
      @Setting(
              key = SNAPSHOT_EVERY,
              defaultValue = "10000",
              min = "100",
              max = "10000000",
              description =
                  "Only with replica.log: ratis. So many entries of the log the state is kept, and the log before it forgotten.")
          long snapshotEvery,
      @Setting(
              defaultValue = "10s",
              min = "0.1s",
              description = "A request that is not executed by then is answered as unknown.")
          Duration answerWithin,
      @Setting(
              defaultValue = "10000",
              min = "1",
              description =
                  "Requests of all clients of this replica that are not answered; what is more is refused at once.")
          int maxPending,
      @Setting(
              key = "replica.max-client-requests",
              defaultValue = "100",
              min = "1",
              max = "10000",
              description =
                  "Requests of one client to modules that this replica has not answered yet; what is more is refused at once, so that one client does not keep the others out.")
          int maxPendingOfClient,
      @Setting(
              key = TICKS_PER_SECOND,
              defaultValue = "1000",
              min = "20",
              max = "1000000",
              description =
                  "Only with replica.log: ratis. Ticks of one replica that the leader takes into the log in a second; what is more waits, so that no replica fills the log. More than the tables of a replica tick together.")
          int ticksPerSecond) {
    public static final Limits DEFAULT = ConfigRecord.defaults(Limits.class);

    /** Throws {@link IllegalArgumentException} that names the setting out of range. */
    public Limits {
      ConfigRecord.check(
          Limits.class,
          electionAfter,
          electionWithin,
          snapshotEvery,
          answerWithin,
          maxPending,
          maxPendingOfClient,
          ticksPerSecond);
      require(
          electionWithin.compareTo(electionAfter.multipliedBy(2)) >= 0,
          ELECTION_WITHIN
              + " must be at least twice "
              + ELECTION_AFTER
              + ", or replicas stand for election at the same moments again and again");
    }

    /** Keys that have a meaning on Ratis only and another value than by default. */
    public List<String> setForRatis() {
      List<String> keys = new ArrayList<>();
      if (!electionAfter.equals(DEFAULT.electionAfter)) {
        keys.add(ELECTION_AFTER);
      }
      if (!electionWithin.equals(DEFAULT.electionWithin)) {
        keys.add(ELECTION_WITHIN);
      }
      if (snapshotEvery != DEFAULT.snapshotEvery) {
        keys.add(SNAPSHOT_EVERY);
      }
      if (ticksPerSecond != DEFAULT.ticksPerSecond) {
        keys.add(TICKS_PER_SECOND);
      }
      return keys;
    }
  }

  /** The name becomes part of ids and headers. */
  static final class ClusterNameFormat extends ValueFormat<String> {
    ClusterNameFormat() {
      super(
          "name",
          "1 to 40 lower-case letters, digits and hyphens",
          "[a-z0-9-]{1,40}",
          text -> text);
    }
  }

  /** The number of a replica in its cluster. */
  static final class ReplicaNumberFormat extends ValueFormat<ReplicaId> {
    ReplicaNumberFormat() {
      super(
          "number",
          "a whole number from 0 to " + (ReplicaGroup.LARGEST - 1),
          "[0-9]{1,2}",
          text -> new ReplicaId(Integer.parseInt(text)));
    }

    @Override
    public String print(ReplicaId replica) {
      return Integer.toString(replica.number());
    }
  }

  /** Throws {@link IllegalArgumentException} that names the fault. */
  public RatisConfig {
    requireNonNull(directory, "directory");
    requireNonNull(tls, "tls");
    requireNonNull(execution, "execution");
    requireNonNull(limits, "limits");
    replicas = List.copyOf(replicas);
    require(!clusterName.isBlank(), "a cluster has a name");
    require(
        self.number() < replicas.size(),
        self + " is none of the " + replicas.size() + " replicas, which are numbered from 0");
    require(
        new HashSet<>(replicas).size() == replicas.size(),
        "two replicas listen at one address: ",
        replicas);
  }

  /** How many replicas there are, and what they are trusted with by a log on Ratis. */
  public ReplicaGroup cluster() {
    return new ReplicaGroup(replicas.size(), ReplicaGroup.Faults.CRASH);
  }
}
