package io.kairos.bench.byzantine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.api.tls.CertificateFiles;
import io.kairos.api.tls.TlsMaterial;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.hashgraph.Ed25519Keys;
import io.kairos.hashgraph.GossipConfig;
import io.kairos.hashgraph.HashgraphConfig;
import io.kairos.hashgraph.PeerTls;
import io.kairos.server.replica.SigningKeyPem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The process of a {@link HostileReplica}. Lies as the lines of its standard input say, {@code
 * none} for the truth, and ends with the input.
 */
public final class HostileMain {
  private static final String HOST = "127.0.0.1";

  /** Room to send what nobody takes. */
  private static final int OUTGOING_BYTES = 256 << 20;

  private HostileMain() {}

  public static void main(String[] args) throws IOException {
    HostileSettings settings = BenchProcess.settings(args, HostileSettings.class);
    StrangerAttacks strangers =
        new StrangerAttacks(
            IntStream.range(0, settings.ports().size())
                .filter(number -> number != settings.number())
                .mapToObj(settings.ports()::get)
                .toList());
    HostileReplica replica =
        new HostileReplica(
            new HashgraphConfig(
                new ReplicaId(settings.number()),
                new ReplicaGroup(settings.ports().size(), ReplicaGroup.Faults.BYZANTINE),
                settings.cluster(),
                HashgraphConfig.Pace.DEFAULT,
                HashgraphConfig.Bounds.DEFAULT),
            gossip(settings),
            new Ed25519Keys(
                SigningKeyPem.readPrivate(Path.of(settings.signingKey())),
                settings.publicKeys().stream().map(SigningKeyPem::readPublic).toList()),
            strangers);
    strangers.start();
    Thread.ofPlatform().name("hostile").start(() -> run(replica));
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        replica.begin(line.equals("none") ? null : Lie.valueOf(line));
      }
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  private static void run(HostileReplica replica) {
    try {
      replica.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      Runtime.getRuntime().halt(1);
    }
  }

  private static GossipConfig gossip(HostileSettings settings) {
    TlsMaterial tls =
        new CertificateFiles(
                Optional.of(
                    new CertificateFiles.Own(
                        file("chain", settings.tlsChain()), file("key", settings.tlsKey()))),
                Optional.of(file("trusted", settings.tlsTrusted())))
            .read(Instant.now());
    TlsMaterial.Pair own = tls.own().orElseThrow();
    List<InetSocketAddress> peers =
        settings.ports().stream()
            .map(port -> InetSocketAddress.createUnresolved(HOST, port))
            .toList();
    GossipConfig.Limits limits = GossipConfig.Limits.DEFAULT;
    return new GossipConfig(
        peers,
        new InetSocketAddress(
            InetAddress.getLoopbackAddress(), settings.ports().get(settings.number())),
        new PeerTls(own.key(), own.chain(), tls.trusted()),
        new GossipConfig.Limits(
            OUTGOING_BYTES,
            limits.bytesPerSecond(),
            limits.strangers(),
            limits.acceptsPerSecond(),
            limits.handshake(),
            limits.frame(),
            limits.silence(),
            Duration.ofMillis(200)));
  }

  private static CertificateFiles.PemFile file(String name, String path) {
    return new CertificateFiles.PemFile(name, Path.of(path));
  }
}
