package io.kairos.bench.byzantine;

import static java.util.Objects.requireNonNull;

import io.kairos.api.v1.Replica;
import io.kairos.bench.rig.PackagedNode;
import io.kairos.contracts.certificate.ReplicaFiles;
import io.kairos.embedded.LoopbackPort;
import io.kairos.server.demo.DemoReplica;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Four replicas on this machine, each a process: three of the packed application, and a hostile
 * one. Used by one thread, but for the calls to the three.
 */
final class ByzantineCluster implements AutoCloseable {
  static final int SIZE = 4;
  static final int HOSTILE = SIZE - 1;
  static final String NAME = "byzantine-demo";

  /** As its own module has packed it. */
  private static final String ADD_ON = "consensus-hashgraph/target/kairos-hashgraph";

  private final List<Integer> ports;
  private final List<Integer> edges;
  private final List<DemoReplica> honest = new ArrayList<>();
  private final HostileProcess hostile;

  ByzantineCluster(Path folder, long seed) throws IOException {
    List<Integer> free = Stream.generate(LoopbackPort::choose).distinct().limit(2L * SIZE).toList();
    ports = free.subList(0, SIZE);
    edges = free.subList(SIZE, free.size());
    ReplicaFiles keys = new ReplicaFiles(folder.resolve("keys"), SIZE).make();
    boolean isComplete = false;
    try {
      for (int number = 0; number < HOSTILE; number++) {
        honest.add(
            new DemoReplica(command(folder, number, keys), log(folder, number), edges.get(number)));
      }
      hostile =
          new HostileProcess(
              new HostileSettings(HOSTILE, NAME, ports, keys, seed), log(folder, HOSTILE));
      isComplete = true;
    } finally {
      if (!isComplete) {
        honest.forEach(DemoReplica::close);
      }
    }
  }

  private static Path log(Path folder, int number) {
    return folder.resolve("replica-" + number + ".log");
  }

  private List<String> command(Path folder, int number, ReplicaFiles keys) {
    Path app = PackagedNode.repository().resolve("server/target/kairos");
    List<String> command = new ArrayList<>();
    command.add(Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java").toString());
    Path archive = app.resolve("kairos-server.jsa");
    if (Files.isReadable(archive)) {
      command.addAll(
          List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off", "-Xlog:aot*=off"));
    }
    command.addAll(
        List.of(
            "-Xmx320m",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dkairos.home=" + PackagedNode.repository().resolve(ADD_ON),
            "-jar",
            app.resolve("lib/kairos-server.jar").toString(),
            "replica",
            "--end-with-input",
            "--id=" + number,
            "--peers=" + places(ports),
            "--port=" + edges.get(number),
            "--data-dir=" + folder.resolve("replica-" + number)));
    Stream.concat(
            keys.settings(number).stream(),
            Stream.of("replica.cluster=" + NAME, "replica.digest-every=20"))
        .forEach(setting -> command.add("--set=" + setting));
    return command;
  }

  private static String places(List<Integer> ports) {
    return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
  }

  /** Those that keep the rules, by their numbers. */
  List<DemoReplica> honest() {
    return honest;
  }

  HostileProcess hostile() {
    return hostile;
  }

  /** The states of the honest ones that answer. */
  List<Replica> look() {
    return honest.stream().flatMap(each -> each.look().stream()).toList();
  }

  /** One of the honest ones, once all of them answer and their last checkpoints are equal. */
  Optional<Replica> equal() {
    List<Replica> seen = look();
    return seen.size() == HOSTILE
            && seen.getFirst().hasLastCheckpoint()
            && seen.stream().map(Replica::getLastCheckpoint).distinct().count() == 1
        ? Optional.of(seen.getFirst())
        : Optional.empty();
  }

  @Override
  public void close() {
    try {
      hostile.close();
    } finally {
      honest.forEach(DemoReplica::close);
    }
  }
}
