package io.kairos.bench.replica;

import io.kairos.consensus.RatisConfig;
import io.kairos.consensus.RatisLog;
import io.kairos.consensus.ReplicaAddress;
import io.kairos.contracts.certificate.ReplicaFiles;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.ReplicatedLogProvider;
import io.kairos.engine.replica.RequestSubmissions;
import io.kairos.engine.replica.StateMachine;
import io.kairos.hashgraph.GossipConfig;
import io.kairos.hashgraph.HashgraphConfig;
import io.kairos.hashgraph.HashgraphReplica;
import io.kairos.hashgraph.HashgraphReplicaConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Settings of a {@link ReplicaBenchMain}.
 *
 * @param ports of all replicas on this machine, in the order of their numbers
 * @param keys of a log that signs
 */
record ReplicaSettings(
    int number, List<Integer> ports, Path directory, Kind kind, Log log, ReplicaFiles keys) {
  private static final String HOST = "127.0.0.1";
  private static final RatisConfig.Limits LIMITS = RatisConfig.Limits.DEFAULT;

  /** The state machine of the log. */
  enum Kind {
    /** A {@link CounterMachine}. */
    BARE,
    /** A cron with an {@link EntryBook} whose entries run a {@link CountingModule}. */
    CRON
  }

  /** What orders. */
  enum Log {
    RATIS(ReplicaGroup.Faults.CRASH),
    HASHGRAPH(ReplicaGroup.Faults.BYZANTINE);

    final ReplicaGroup.Faults faults;

    Log(ReplicaGroup.Faults faults) {
      this.faults = faults;
    }
  }

  ReplicaGroup group() {
    return new ReplicaGroup(ports.size(), log.faults);
  }

  /** Opens the log; everything but these settings as it is in production. */
  ReplicatedLog open(StateMachine machine, Consumer<Throwable> broken) {
    return switch (log) {
      case RATIS -> RatisLog.open(ratis(), machine, broken);
      case HASHGRAPH ->
          HashgraphReplica.open(
              hashgraph(),
              machine,
              OrderedExecution.Config.DEFAULT,
              new RequestSubmissions.Bounds(
                  LIMITS.maxPending(), LIMITS.maxPendingOfClient(), LIMITS.answerWithin()),
              new ReplicatedLogProvider.Surroundings(
                  Clock.systemUTC(), System::nanoTime, new SplittableRandom()),
              broken);
    };
  }

  private HashgraphReplicaConfig hashgraph() {
    ReplicaKeys own = new ReplicaKeys(keys);
    return new HashgraphReplicaConfig(
        new HashgraphConfig(
            new ReplicaId(number),
            group(),
            "bench",
            HashgraphConfig.Pace.DEFAULT,
            HashgraphConfig.Bounds.DEFAULT),
        new GossipConfig(
            ports.stream().map(port -> InetSocketAddress.createUnresolved(HOST, port)).toList(),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(number)),
            own.tls(number),
            GossipConfig.Limits.DEFAULT),
        directory,
        own.signing(number),
        false);
  }

  private RatisConfig ratis() {
    return new RatisConfig(
        "bench",
        new ReplicaId(number),
        ports.stream().map(port -> new ReplicaAddress(HOST, port)).toList(),
        directory,
        Optional.empty(),
        OrderedExecution.Config.DEFAULT,
        LIMITS);
  }
}
