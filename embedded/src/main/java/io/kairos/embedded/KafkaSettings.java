package io.kairos.embedded;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The properties of an embedded broker, with the reasons. */
final class KafkaSettings {
  private static final String CONTROLLER = "CONTROLLER";

  private KafkaSettings() {}

  static Map<String, String> of(KafkaOptions options, Path topics, int port, int controllerPort) {
    Map<String, String> all = defaults();
    all.putAll(options.settings());
    all.put("node.id", Integer.toString(options.nodeId()));
    all.put("log.dirs", topics.toString());
    all.put("controller.listener.names", CONTROLLER);
    String clients = "PLAINTEXT://127.0.0.1:" + port;
    all.put("advertised.listeners", clients);
    if (options.peers().isEmpty()) {
      all.put("process.roles", "broker,controller");
      all.put("listeners", clients + "," + CONTROLLER + "://127.0.0.1:" + controllerPort);
      all.put("controller.quorum.voters", voter(options.nodeId(), controllerPort));
    } else {
      KafkaPeer peer = options.peers().getFirst();
      all.put("process.roles", "broker");
      all.put("listeners", clients);
      all.put("controller.quorum.voters", voter(peer.nodeId(), peer.controllerPort()));
    }
    all.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT," + CONTROLLER + ":PLAINTEXT");
    return all;
  }

  private static String voter(int nodeId, int controllerPort) {
    return nodeId + "@127.0.0.1:" + controllerPort;
  }

  private static Map<String, String> defaults() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("auto.create.topics.enable", "false");
    settings.put("group.initial.rebalance.delay.ms", "0");

    // One broker: a higher factor could never be met. Few partitions: each costs files, memory and
    // time at the start.
    for (String topic :
        new String[] {"offsets.topic", "transaction.state.log", "share.coordinator.state.topic"}) {
      settings.put(topic + ".replication.factor", "1");
      settings.put(topic + ".num.partitions", "4");
    }
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");

    // After kill -9 the controller lets the broker back in only when its old session has lapsed.
    settings.put("broker.session.timeout.ms", "2000");
    settings.put("broker.heartbeat.interval.ms", "500");

    // The cleaner takes its buffer from the heap at the start: 128 MB by default, a quarter of
    // ours.
    settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(16 << 20));
    return settings;
  }
}
