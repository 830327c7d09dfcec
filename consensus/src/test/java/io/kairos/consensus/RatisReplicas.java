package io.kairos.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.ReplicatedLogContract;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.embedded.LoopbackPort;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.RequestSubmissions;
import io.kairos.engine.replica.StateMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.ratis.server.DivisionInfo;

/** Replicas on Ratis in one process, each with its port and its directory. */
final class RatisReplicas implements ReplicatedLogContract.Replicas {
  private static final Duration FAR_TOO_LONG = Duration.ofSeconds(60);
  private static final Duration LOOK_AGAIN_AFTER = Duration.ofMillis(1);

  /** So that a replica that was away for 300 requests must be given a snapshot. */
  static final RatisConfig.Limits LIMITS =
      new RatisConfig.Limits(
          Duration.ofMillis(150),
          Duration.ofMillis(600),
          100,
          Duration.ofSeconds(10),
          1_000,
          1_000,
          200);

  /**
   * Its own: the leader of another test's cluster of the same name goes on calling the ports of
   * replicas that it misses, and this cluster may have got one of them.
   */
  private final String name = "contract-" + UUID.randomUUID();

  private final Path directory;
  private final List<ReplicaAddress> addresses;
  private final RatisConfig.Limits limits;
  private final Function<ReplicaId, Optional<TlsFiles>> tls;
  private final TreeMap<ReplicaId, Running> running = new TreeMap<>();
  private final List<Throwable> broken = new CopyOnWriteArrayList<>();

  private record Running(RatisLog log, Step resending) {}

  RatisReplicas(Path directory, int count) {
    this(directory, count, LIMITS, _ -> Optional.empty());
  }

  RatisReplicas(
      Path directory,
      int count,
      RatisConfig.Limits limits,
      Function<ReplicaId, Optional<TlsFiles>> tls) {
    // Relative, as replica.data-dir is by default.
    this.directory = Path.of("").toAbsolutePath().relativize(directory);
    this.addresses = freeAddresses(count);
    this.limits = limits;
    this.tls = tls;
  }

  static List<ReplicaAddress> freeAddresses(int count) {
    return Stream.generate(LoopbackPort::choose)
        .distinct()
        .limit(count)
        .map(port -> new ReplicaAddress("127.0.0.1", port))
        .toList();
  }

  RatisConfig config(ReplicaId id) {
    return new RatisConfig(
        name,
        id,
        addresses,
        directory.resolve("replica-" + id.number()),
        tls.apply(id),
        OrderedExecution.Config.DEFAULT,
        limits);
  }

  @Override
  public ReplicatedLog open(ReplicaId id, StateMachine machine) {
    RatisLog log = RatisLog.open(config(id), machine, broken::add);
    running.put(id, new Running(log, log.resending()));
    return log;
  }

  @Override
  public void crash(ReplicaId id) {
    Running one = running.remove(id);
    if (one != null) {
      one.log().close();
    }
  }

  @Override
  public void wipe(ReplicaId id) {
    try (Stream<Path> files = Files.walk(config(id).directory())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean letPass(BooleanSupplier until) {
    long start = System.nanoTime();
    long rounds = 0;
    while (!until.getAsBoolean()) {
      long passed = System.nanoTime() - start;
      if (passed > FAR_TOO_LONG.toNanos()) {
        running.forEach((id, one) -> System.err.println(id + ": " + state(one.log())));
        return false;
      }
      if (passed / RequestSubmissions.AGAIN_EVERY.toNanos() > rounds) {
        rounds =
            passed
                / RequestSubmissions.AGAIN_EVERY
                    .toNanos(); // after a standstill none is made up for
        running.values().forEach(each -> each.resending().runOnce());
      }
      LockSupport.parkNanos(LOOK_AGAIN_AFTER.toNanos());
    }
    return true;
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  /** What a replica waits for, perhaps. */
  private static String state(RatisLog log) {
    return log.division()
        .map(division -> {
          DivisionInfo info = division.getInfo();
          return "%s in term %d, leader %s, applied %d, has %s, followers need %s"
              .formatted(
                  info.getCurrentRole(),
                  info.getCurrentTerm(),
                  info.getLeaderId(),
                  info.getLastAppliedIndex(),
                  division.getRaftLog().getLastEntryTermIndex(),
                  info.isLeader() ? Arrays.toString(info.getFollowerNextIndices()) : "nothing");
        })
        .orElse("closed");
  }

  /** All at once, as each takes a second. */
  @Override
  public void close() {
    try (ExecutorService closing = Executors.newVirtualThreadPerTaskExecutor()) {
      running.values().forEach(each -> closing.execute(each.log()::close));
    }
    running.clear();
    assertThat(broken).isEmpty();
  }
}
