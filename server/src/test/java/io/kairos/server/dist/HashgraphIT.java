package io.kairos.server.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import com.linecorp.armeria.client.grpc.GrpcClients;
import io.grpc.StatusRuntimeException;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronServiceGrpc.CronServiceBlockingStub;
import io.kairos.api.v1.GetReplicaRequest;
import io.kairos.api.v1.ListCronEntriesRequest;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.api.v1.Replica;
import io.kairos.contracts.certificate.ReplicaFiles;
import io.kairos.embedded.LoopbackPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The packed application with and without the add-on for replicas that may lie. */
@Timeout(300)
class HashgraphIT {
  private static final int SIZE = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** The folder that is put over an installation, as its own module has packed it. */
  private static final Path ADD_ON =
      Path.of("../consensus-hashgraph/target/kairos-hashgraph").toAbsolutePath().normalize();

  @TempDir private Path folder;

  private final List<Integer> ports =
      Stream.generate(LoopbackPort::choose).distinct().limit(2 * SIZE).toList();
  private final Map<Integer, ServerProcess> running = new TreeMap<>();

  private String places(int from) {
    return ports.subList(from, from + SIZE).stream()
        .map(port -> "127.0.0.1:" + port)
        .collect(Collectors.joining(","));
  }

  private ServerProcess start(ReplicaFiles files, int id, Path home) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "replica",
                "--id=" + id,
                "--peers=" + places(0),
                "--port=" + ports.get(SIZE + id),
                "--data-dir=" + folder.resolve("replica-" + id),
                "--set=replica.edges=" + places(SIZE),
                "--set=replica.digest-every=20"));
    files.settings(id).forEach(setting -> words.add("--set=" + setting));
    ServerProcess process =
        // Signatures are many times slower without the optimizing compiler.
        ServerProcess.startWith(
            "-XX:TieredStopAtLevel=4 -Dkairos.home=" + home, words.toArray(String[]::new));
    running.put(id, process);
    return process;
  }

  private CronServiceBlockingStub calls(int id) {
    return GrpcClients.builder("gproto+http://127.0.0.1:" + ports.get(SIZE + id))
        .responseTimeoutMillis(60_000)
        .build(CronServiceBlockingStub.class);
  }

  private List<Replica> look() {
    List<Replica> seen = new ArrayList<>();
    for (int id = 0; id < SIZE; id++) {
      try {
        seen.add(calls(id).getReplica(GetReplicaRequest.getDefaultInstance()));
      } catch (StatusRuntimeException _) { // it is starting, or was killed
      }
    }
    return seen;
  }

  private void await(String what, BooleanSupplier holds) {
    long sinceNanos = System.nanoTime();
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime() - sinceNanos)
          .as(() -> what + " never, and they printed: " + printed())
          .isLessThan(PATIENCE.toNanos());
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  private String printed() {
    return running.values().stream()
        .map(ServerProcess::printed)
        .collect(Collectors.joining("\n----\n"));
  }

  private void put(int at, int position) {
    calls(at)
        .putCronEntry(
            PutCronEntryRequest.newBuilder()
                .setEntry(
                    CronEntry.newBuilder()
                        .setComponent(1)
                        .setPosition(position)
                        .setEvery(Durations.fromSeconds(1))
                        .setPrune(Durations.fromHours(1)))
                .build());
  }

  private boolean areEqualBeyond(long sequence) {
    List<Replica.Checkpoint> last = look().stream().map(Replica::getLastCheckpoint).toList();
    return last.size() == SIZE
        && last.stream().distinct().count() == 1
        && last.getFirst().getSequence() > sequence;
  }

  @Test
  @EnabledIfSystemProperty(
      named = "kairos.long",
      matches = "true",
      disabledReason = "four replicas that verify signatures need two idle processors")
  void four_processes_execute_one_order_and_one_is_killed_and_comes_back() throws Exception {
    assertThat(ADD_ON.resolve("addons/hashgraph")).isNotEmptyDirectory();
    ReplicaFiles files = new ReplicaFiles(folder.resolve("keys"), SIZE).make();
    try {
      for (int id = 0; id < SIZE; id++) {
        start(files, id, ADD_ON);
      }
      await(
          "four that reach each other",
          () ->
              look().stream()
                      .filter(each ->
                          each.getPeerReport().getPeersList().stream()
                              .allMatch(Replica.PeerReport.Peer::getConnected))
                      .count()
                  == SIZE);
      calls(0)
          .putCronTable(
              PutCronTableRequest.newBuilder()
                  .setComponent(1)
                  .setTick(Durations.fromMillis(200))
                  .build());
      for (int position = 0; position < 20; position++) {
        put(position % SIZE, position);
      }
      await("equal digests", () -> areEqualBeyond(40));

      ServerProcess killed = running.remove(2);
      killed.kill();
      long before = look().getFirst().getSequence();
      for (int position = 20; position < 40; position++) {
        put(position % 2, position);
      }
      await("a table that advances", () -> look().getFirst().getSequence() > before + 40);
      start(files, 2, ADD_ON);
      await("equal digests again", () -> areEqualBeyond(before + 40));

      for (int id = 0; id < SIZE; id++) {
        assertThat(
                calls(id)
                    .listCronEntries(ListCronEntriesRequest.newBuilder().setComponent(1).build())
                    .getEntriesCount())
            .as("entries of replica %d", id)
            .isEqualTo(40);
      }
      assertThat(look())
          .allSatisfy(each -> assertThat(each.getPeerReport().getForkersList()).isEmpty());
    } finally {
      running.values().forEach(ServerProcess::close);
    }
  }

  @Test
  void without_the_add_on_it_says_how_to_get_it() throws Exception {
    ReplicaFiles files = new ReplicaFiles(folder.resolve("keys"), SIZE).make();
    Path home = Files.createDirectories(folder.resolve("home"));
    try (ServerProcess process = start(files, 0, home)) {
      assertThat(process.awaitEnd(PATIENCE)).isEqualTo(1);
      assertThat(process.printed())
          .contains("add-on kairos-hashgraph", home.resolve("addons/hashgraph").toString());
    }
  }

  @Test
  void the_base_package_has_none_of_its_jars() throws IOException {
    try (Stream<Path> lib = Files.list(ServerProcess.APP.resolve("lib"));
        Stream<Path> own = Files.list(ADD_ON.resolve("addons/hashgraph"))) {
      List<String> names = lib.map(each -> String.valueOf(each.getFileName())).toList();
      List<String> jars = own.map(each -> String.valueOf(each.getFileName())).toList();
      assertThat(jars).isNotEmpty().noneMatch(names::contains);
      assertThat(names).noneMatch(name -> name.matches(".*(hashgraph|hapi|pbj|swirlds).*"));
    }
  }
}
