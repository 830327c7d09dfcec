package io.kairos.embedded;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Options of an embedded Kafka broker.
 *
 * @param dataDirectory kept between runs; the topics are in its folder {@code kafka}, beside the
 *     broker's log and configuration
 * @param port on 127.0.0.1; 0 for a free one at each start
 * @param nodeId unique in the cluster and kept with the data
 * @param peers empty when this broker is the controller too, alone or as the first of a cluster;
 *     otherwise the controller that it joins without becoming one, so that a stop leaves the
 *     cluster alive
 * @param settings broker properties that override the defaults of {@link EmbeddedKafka}
 * @param jvmOptions of the broker's JVM
 */
public record KafkaOptions(
    Path dataDirectory,
    int port,
    int nodeId,
    List<KafkaPeer> peers,
    Map<String, String> settings,
    List<String> jvmOptions) {
  /**
   * A pause of the broker delays every record in flight. At 1,000 records/s Serial paused it for 19
   * ms every five seconds, G1 with survivors for 15 ms every ten. Objects of a broker live long or
   * die at once: G1 that copies each object once pauses it for 4 to 9 ms every 15 s, and needs the
   * least CPU time of these at 35,000 records/s. The metaspace size avoids two full collections
   * while classes are loaded.
   */
  private static final List<String> DEFAULT_JVM_OPTIONS =
      List.of("-Xmx512m", "-XX:+UseG1GC", "-XX:MaxTenuringThreshold=0", "-XX:MetaspaceSize=96m");

  private static final List<String> TEST_JVM_OPTIONS =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:MetaspaceSize=96m", "-XX:TieredStopAtLevel=1");

  /**
   * Properties that would open the broker to others or contradict the other options; they are
   * refused.
   */
  private static final Set<String> OURS =
      Set.of(
          "process.roles",
          "node.id",
          "broker.id",
          "listeners",
          "advertised.listeners",
          "controller.quorum.voters",
          "controller.quorum.bootstrap.servers",
          "log.dir",
          "log.dirs",
          "metadata.log.dir");

  public KafkaOptions {
    dataDirectory = dataDirectory.toAbsolutePath().normalize();
    peers = List.copyOf(peers);
    settings = OptionChecks.settings(settings, OURS, "Kafka");
    jvmOptions = List.copyOf(jvmOptions);
    OptionChecks.port(port);
    if (nodeId < 1) {
      throw new IllegalArgumentException("nodeId must be 1 or more, but is " + nodeId);
    }
    if (peers.size() > 1) {
      throw new IllegalArgumentException("peers: an embedded cluster has one controller to join");
    }
    for (KafkaPeer peer : peers) {
      if (peer.nodeId() == nodeId) {
        throw new IllegalArgumentException("nodeId " + nodeId + " is the peer's already");
      }
    }
  }

  /** Options of a single broker, node 1, on a free port, with the default settings. */
  public static KafkaOptions in(Path dataDirectory) {
    return new KafkaOptions(dataDirectory, 0, 1, List.of(), Map.of(), DEFAULT_JVM_OPTIONS);
  }

  /**
   * Options like {@link #in} for tests that send little: ready after about half the CPU time and
   * with half the heap, because the broker's code is never optimised. Not for measuring.
   */
  public static KafkaOptions forTests(Path dataDirectory) {
    return new KafkaOptions(dataDirectory, 0, 1, List.of(), Map.of(), TEST_JVM_OPTIONS);
  }

  public KafkaOptions withPort(int newPort) {
    return new KafkaOptions(dataDirectory, newPort, nodeId, peers, settings, jvmOptions);
  }

  /** These options for node {@code newNodeId} of the peer's cluster. */
  public KafkaOptions joining(KafkaPeer peer, int newNodeId) {
    return new KafkaOptions(dataDirectory, port, newNodeId, List.of(peer), settings, jvmOptions);
  }

  public KafkaOptions withSettings(Map<String, String> newSettings) {
    return new KafkaOptions(dataDirectory, port, nodeId, peers, newSettings, jvmOptions);
  }
}
