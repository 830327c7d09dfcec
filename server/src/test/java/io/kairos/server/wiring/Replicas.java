package io.kairos.server.wiring;

import com.linecorp.armeria.client.grpc.GrpcClients;
import io.kairos.api.v1.CronServiceGrpc.CronServiceBlockingStub;
import io.kairos.api.v1.GetReplicaRequest;
import io.kairos.api.v1.Replica;
import io.kairos.embedded.LoopbackPort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A cluster in this process, each replica with its log, its edge and its directory. */
final class Replicas implements AutoCloseable {
  private static final long LOOK_EVERY_NANOS = 10_000_000;
  private static final long FAR_TOO_LONG_NANOS = 90_000_000_000L;

  private final Path folder;
  private final List<Integer> logs;
  private final List<Integer> edges;
  private final List<String> settings;
  private final IntFunction<List<String>> ownSettings;
  private final Map<Integer, RunningReplica> running = new TreeMap<>();

  Replicas(int count, Path folder, String... settings) {
    this(count, folder, _ -> List.of(), settings);
  }

  /**
   * Starts replicas.
   *
   * @param ownSettings those of one replica, by its number
   */
  Replicas(int count, Path folder, IntFunction<List<String>> ownSettings, String... settings) {
    this.folder = folder;
    this.ownSettings = ownSettings;
    this.logs = Stream.generate(LoopbackPort::choose).distinct().limit(count).toList();
    this.edges =
        Stream.generate(LoopbackPort::choose)
            .filter(port -> !logs.contains(port))
            .distinct()
            .limit(count)
            .toList();
    this.settings = List.of(settings);
    for (int id = 0; id < count; id++) {
      start(id);
    }
  }

  RunningReplica start(int id) {
    List<String> all = new ArrayList<>(settings);
    all.addAll(ownSettings.apply(id));
    all.add("replica.id=" + id);
    all.add("replica.peers=" + places(logs));
    all.add("replica.edges=" + places(edges));
    all.add("replica.data-dir=" + directory(id));
    all.add("http.port=" + edges.get(id));
    RunningReplica replica =
        RunningReplica.start(ReplicaConfigTest.read(all.toArray(String[]::new)));
    running.put(id, replica);
    return replica;
  }

  private static String places(List<Integer> ports) {
    return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
  }

  Path directory(int id) {
    return folder.resolve("replica-" + id);
  }

  RunningReplica replica(int id) {
    RunningReplica replica = running.get(id);
    if (replica == null) {
      throw new IllegalStateException("replica " + id + " is not running");
    }
    return replica;
  }

  void stop(int id) {
    replica(id).close();
    running.remove(id);
  }

  CronServiceBlockingStub calls(int id) {
    return GrpcClients.builder("gproto+http://127.0.0.1:" + edges.get(id))
        .build(CronServiceBlockingStub.class);
  }

  Replica look(int id) {
    return calls(id).getReplica(GetReplicaRequest.getDefaultInstance());
  }

  /** Looks until it is so. */
  static void await(String what, BooleanSupplier holds) {
    long sinceNanos = System.nanoTime();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - sinceNanos > FAR_TOO_LONG_NANOS) {
        throw new AssertionError("never: " + what);
      }
      java.util.concurrent.locks.LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
  }

  /** Until all that run have the same digest after as many requests as each other, beyond these. */
  void awaitEqual(long beyond) {
    await(
        "equal digests",
        () -> {
          List<Replica.Checkpoint> last =
              running.keySet().stream().map(id -> look(id).getLastCheckpoint()).distinct().toList();
          return last.size() == 1 && last.getFirst().getSequence() > beyond;
        });
  }

  @Override
  public void close() {
    running.values().forEach(RunningReplica::close);
  }
}
