package io.kairos.server.wiring;

import io.kairos.server.config.Given;
import io.kairos.server.config.NodeConfig;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags by which a node is configured, the same for every command. */
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
  List<Given> flags() {
    return Stream.of(
            given(NodeConfig.DATA_DIRECTORY, dataDirectory, "--data-dir"),
            given(BrokerChoice.PORT, kafkaPort, "--kafka-port"))
        .flatMap(List::stream)
        .toList();
  }
}
