package io.kairos.bench.byzantine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.bench.replica.ReplicaKeys;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.hashgraph.GossipConfig;
import io.kairos.hashgraph.HashgraphConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The process of a {@link HostileReplica}. Attacks as the lines of its standard input say, answers
 * each with how often it did what the line before said, and ends with the input.
 */
public final class HostileMain {
  /** In the place of an attack, for the truth. */
  static final String NONE = "none";

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
                .toList(),
            settings.seed());
    ReplicaKeys keys = new ReplicaKeys(settings.keys());
    HostileReplica replica =
        new HostileReplica(
            new HashgraphConfig(
                new ReplicaId(settings.number()),
                new ReplicaGroup(settings.ports().size(), ReplicaGroup.Faults.BYZANTINE),
                keys.named(settings.cluster()),
                HashgraphConfig.Pace.DEFAULT,
                HashgraphConfig.Bounds.DEFAULT),
            gossip(settings, keys),
            keys.signing(settings.number()),
            strangers,
            new SplittableRandom(settings.seed()));
    strangers.start();
    Thread.ofPlatform().name("hostile").start(() -> run(replica));
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        System.out.println(replica.begin(line.equals(NONE) ? null : Attack.valueOf(line)));
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

  private static GossipConfig gossip(HostileSettings settings, ReplicaKeys keys) {
    List<InetSocketAddress> peers =
        settings.ports().stream()
            .map(port -> InetSocketAddress.createUnresolved(HOST, port))
            .toList();
    GossipConfig.Limits limits = GossipConfig.Limits.DEFAULT;
    return new GossipConfig(
        peers,
        new InetSocketAddress(
            InetAddress.getLoopbackAddress(), settings.ports().get(settings.number())),
        keys.tls(settings.number()),
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
}
