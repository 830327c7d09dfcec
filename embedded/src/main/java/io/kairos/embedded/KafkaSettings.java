package io.kairos.embedded;

import java.nio.file.Path;
import java.util.Map;

/** The properties of an embedded broker. */
final class KafkaSettings {
  private static final String CONTROLLER = "CONTROLLER";

  private KafkaSettings() {}

  static Map<String, String> of(KafkaOptions options, Path topics, int port, int controllerPort) {
    Map<String, String> all = OptionChecks.defaults("kafka-defaults.properties");
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
}
