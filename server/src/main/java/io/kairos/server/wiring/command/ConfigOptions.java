package io.kairos.server.wiring.command;

import io.kairos.server.config.GivenSetting;
import io.kairos.server.config.NodeConfig;
import io.kairos.server.wiring.BrokerChoice;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that configure a node. */
final class ConfigOptions extends SettingOptions {
  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where the embedded Postgres and Kafka keep their data: node.data-dir.")
  private @Nullable String dataDirectory;

  @Option(
      names = "--kafka-port",
      paramLabel = "PORT",
      description = "Of the embedded Kafka: kafka.port.")
  private @Nullable String kafkaPort;

  @Override
  List<GivenSetting> flags() {
    return Stream.of(
            given(NodeConfig.DATA_DIRECTORY, dataDirectory, "--data-dir"),
            given(BrokerChoice.PORT, kafkaPort, "--kafka-port"))
        .flatMap(List::stream)
        .toList();
  }
}
