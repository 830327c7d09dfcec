package io.kairos.bench.byzantine;

import static java.util.Objects.requireNonNull;

import io.kairos.api.v1.Replica;
import io.kairos.bench.rig.PackagedNode;
import io.kairos.contracts.certificate.TestCertificate;
import io.kairos.embedded.LoopbackPort;
import io.kairos.server.demo.DemoReplica;
import io.kairos.server.replica.SigningKeyPem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
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
  private static final String NAME = "byzantine-demo";

  private final List<Integer> ports;
  private final List<Integer> edges;
  private final List<DemoReplica> honest = new ArrayList<>();
  private final HostileProcess hostile;

  ByzantineCluster(Path folder) throws IOException {
    List<Integer> free = Stream.generate(LoopbackPort::choose).distinct().limit(2L * SIZE).toList();
    ports = free.subList(0, SIZE);
    edges = free.subList(SIZE, free.size());
    TestCertificate authority = TestCertificate.authority(NAME);
    Path trusted = authority.writeCertificate(folder.resolve("trusted.pem"));
    List<KeyPair> pairs = Stream.generate(SigningKeyPem::generate).limit(SIZE).toList();
    List<String> publicKeys =
        pairs.stream().map(pair -> SigningKeyPem.line(pair.getPublic())).toList();
    for (int number = 0; number < SIZE; number++) {
      TestCertificate own = authority.sign("replica-" + number, "ip:127.0.0.1");
      own.writeCertificate(file(folder, number, "pem"));
      own.writeKey(file(folder, number, "key"));
      Files.writeString(
          file(folder, number, "signing"), SigningKeyPem.print(pairs.get(number).getPrivate()));
    }
    boolean isComplete = false;
    try {
      for (int number = 0; number < HOSTILE; number++) {
        honest.add(
            new DemoReplica(
                command(folder, number, publicKeys, trusted),
                file(folder, number, "log"),
                edges.get(number)));
      }
      hostile =
          new HostileProcess(
              new HostileSettings(
                  HOSTILE,
                  NAME,
                  ports,
                  file(folder, HOSTILE, "signing").toString(),
                  publicKeys,
                  file(folder, HOSTILE, "key").toString(),
                  file(folder, HOSTILE, "pem").toString(),
                  trusted.toString()),
              file(folder, HOSTILE, "log"));
      isComplete = true;
    } finally {
      if (!isComplete) {
        honest.forEach(DemoReplica::close);
      }
    }
  }

  private static Path file(Path folder, int number, String kind) {
    return folder.resolve("replica-" + number + "." + kind);
  }

  private List<String> command(Path folder, int number, List<String> publicKeys, Path trusted) {
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
            "-Dkairos.home=" + app,
            "-jar",
            app.resolve("lib/kairos-server.jar").toString(),
            "replica",
            "--end-with-input",
            "--id=" + number,
            "--peers=" + places(ports),
            "--port=" + edges.get(number),
            "--data-dir=" + folder.resolve("replica-" + number)));
    Stream.of(
            "replica.cluster=" + NAME,
            "replica.log=hashgraph",
            "replica.hashgraph.signing-key-file=" + file(folder, number, "signing"),
            "replica.hashgraph.public-keys=" + String.join(",", publicKeys),
            "replica.tls.private-key-file=" + file(folder, number, "key"),
            "replica.tls.certificate-file=" + file(folder, number, "pem"),
            "replica.tls.trusted-file=" + trusted,
            "replica.digest-every=20")
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
