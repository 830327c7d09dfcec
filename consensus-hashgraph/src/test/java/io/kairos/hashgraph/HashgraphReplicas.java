package io.kairos.hashgraph;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.ReplicatedLogContract;
import io.kairos.contracts.certificate.TestCertificate;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.embedded.LoopbackPort;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.ReplicatedLogProvider;
import io.kairos.engine.replica.RequestSubmissions;
import io.kairos.engine.replica.StateMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Four replicas in one process, each with its port, its directory, its certificate and its key. */
final class HashgraphReplicas implements ReplicatedLogContract.Replicas {
  static final int SIZE = 4;
  static final String HOST = "127.0.0.1";
  private static final Duration FAR_TOO_LONG = Duration.ofSeconds(60);
  private static final Duration LOOK_AGAIN_AFTER = Duration.ofMillis(1);
  private static final HashgraphConfig.Bounds BOUNDS =
      new HashgraphConfig.Bounds(1 << 20, 4 << 20, 4 << 20, 8 << 20, 2 << 20, 4 << 10, 16);

  private final Path directory;
  final TestCertificate authority = TestCertificate.authority("the cluster's");
  final List<EventKeys> keys;
  final List<InetSocketAddress> places =
      Stream.generate(LoopbackPort::choose)
          .distinct()
          .limit(SIZE)
          .map(port -> InetSocketAddress.createUnresolved(HOST, port))
          .toList();
  private final TreeMap<ReplicaId, Running> running = new TreeMap<>();
  private final Set<ReplicaId> wiped = new HashSet<>();
  private final Map<ReplicaId, Duration> ahead = new ConcurrentHashMap<>();
  private final List<Throwable> broken = new CopyOnWriteArrayList<>();

  /** A replica and when its steps are due. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Running(HashgraphReplica replica, List<Step> steps, long[] due) {}

  HashgraphReplicas(Path directory, List<EventKeys> keys) {
    this.directory = directory;
    this.keys = keys;
  }

  HashgraphConfig log(int id) {
    return new HashgraphConfig(
        new ReplicaId(id),
        new ReplicaGroup(SIZE, ReplicaGroup.Faults.BYZANTINE),
        "replicas",
        HashgraphConfig.Pace.DEFAULT,
        BOUNDS);
  }

  PeerTls tls(TestCertificate of, TestCertificate trusted) {
    return new PeerTls(of.key(), List.of(of.certificate()), List.of(trusted.certificate()));
  }

  GossipConfig gossip(int id) {
    InetSocketAddress place = places.get(id);
    return new GossipConfig(
        places,
        new InetSocketAddress(place.getHostString(), place.getPort()),
        tls(authority.sign("replica-" + id, "ip:" + HOST), authority),
        GossipConfig.Limits.DEFAULT);
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public boolean hasTime() {
    return true;
  }

  private Path directory(ReplicaId id) {
    return directory.resolve("replica-" + id.number());
  }

  @Override
  public HashgraphReplica open(ReplicaId id, StateMachine machine) {
    HashgraphReplica replica =
        HashgraphReplica.open(
            new HashgraphReplicaConfig(
                log(id.number()),
                gossip(id.number()),
                directory(id),
                keys.get(id.number()),
                wiped.remove(id)),
            machine,
            OrderedExecution.Config.DEFAULT,
            new RequestSubmissions.Bounds(1_000, 1_000, Duration.ofSeconds(10)),
            new ReplicatedLogProvider.Surroundings(
                InstantSource.system(), () -> nanos(id), new SplittableRandom(id.number())),
            broken::add);
    List<Step> steps = replica.steps();
    running.put(id, new Running(replica, steps, new long[steps.size()]));
    return replica;
  }

  private long nanos(ReplicaId id) {
    return System.nanoTime() + ahead.getOrDefault(id, Duration.ZERO).toNanos();
  }

  /** Lets time pass for one replica at once. */
  void pass(int id, Duration time) {
    ahead.merge(new ReplicaId(id), time, Duration::plus);
  }

  HashgraphReplica replica(int id) {
    return requireNonNull(running.get(new ReplicaId(id))).replica();
  }

  @Override
  public void crash(ReplicaId id) {
    Running one = running.remove(id);
    if (one != null) {
      one.replica().close();
    }
  }

  @Override
  public void wipe(ReplicaId id) {
    try {
      Files.delete(directory(id).resolve("journal"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    forgets(id);
  }

  /** A replica is started the next time as one that has lost its journal. */
  void forgets(ReplicaId id) {
    wiped.add(id);
  }

  @Override
  public boolean letPass(BooleanSupplier until) {
    return letPass(until, () -> {});
  }

  /** Lets time pass while something else happens again and again. */
  boolean letPass(BooleanSupplier until, Runnable meanwhile) {
    long end = System.nanoTime() + FAR_TOO_LONG.toNanos();
    while (!until.getAsBoolean()) {
      long now = System.nanoTime();
      if (now > end) {
        running.values().forEach(each -> System.err.println(each.replica().status()));
        return false;
      }
      for (Running each : running.values()) {
        for (int i = 0; i < each.due().length; i++) {
          if (now - each.due()[i] >= 0 || each.due()[i] == 0) {
            each.due()[i] = now + each.steps().get(i).runOnce().after().toNanos();
          }
        }
      }
      meanwhile.run();
      LockSupport.parkNanos(LOOK_AGAIN_AFTER.toNanos());
    }
    return true;
  }

  @Override
  public void close() {
    running.values().forEach(each -> each.replica().close());
    running.clear();
    assertThat(broken).isEmpty();
  }
}
