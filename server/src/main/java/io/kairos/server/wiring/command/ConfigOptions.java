package io.kairos.server.wiring.command;

import io.kairos.server.config.NodeConfig;
import io.kairos.server.wiring.BrokerChoice;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that configure a node. */
final class ConfigOptions extends SettingOptions {
  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where the embedded Postgres and Kafka keep their data: node.data-dir.")
  void dataDirectory(@Nullable String text) {
    give(NodeConfig.DATA_DIRECTORY, text, "--data-dir");
  }

  @Option(
      names = "--kafka-port",
      paramLabel = "PORT",
      description = "Of the embedded Kafka: kafka.port.")
  void kafkaPort(@Nullable String text) {
    give(BrokerChoice.PORT, text, "--kafka-port");
  }

  @Option(
      names = "--without-kafka",
      description =
          "No Kafka, neither embedded nor another: tasks, schedules and pools, but no delay queue and no topics. kafka: none.")
  void withoutKafka(@Nullable Boolean is) {
    if (Boolean.TRUE.equals(is)) {
      give(BrokerChoice.BOOTSTRAP_SERVERS, BrokerChoice.NONE, "--without-kafka");
    }
  }
}
