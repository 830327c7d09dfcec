package io.kairos.server.wiring;

import io.kairos.engine.setting.Setting;
import io.kairos.kafka.KafkaConfig;

/** Settings of the broker, which is embedded or external. A node without a broker has none. */
public record BrokerChoice(
    KafkaConfig config,
    @Setting(
            key = PORT,
            defaultValue = "9092",
            min = "0",
            max = "65535",
            description = "Port of the embedded broker on 127.0.0.1; 0 takes a free one.")
        int port) {
  public static final String PORT = "kafka.port";
  public static final String BOOTSTRAP_SERVERS = "kafka.bootstrap-servers";

  /** Value of {@link #BOOTSTRAP_SERVERS} for a node without a broker. */
  public static final String NONE = "none";

  /** True when the node starts the broker itself. */
  public boolean embedded() {
    return config.bootstrapServers().equals(KafkaConfig.EMBEDDED);
  }
}
