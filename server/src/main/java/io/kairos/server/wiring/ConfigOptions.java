package io.kairos.server.wiring;

import io.kairos.server.config.ConfigurationException;
import io.kairos.server.config.Given;
import io.kairos.server.config.HttpConfig;
import io.kairos.server.config.NodeConfig;
import io.kairos.server.config.Origin;
import io.kairos.server.config.Sources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags by which a node is configured, the same for every command. */
final class ConfigOptions {
  private static final String CONFIG_VARIABLE = "KAIROS_CONFIG";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "YAML file with settings. The environment wins over it (KAIROS_HTTP_PORT for http.port), flags win over both. KAIROS_CONFIG names it, too.")
  private @Nullable Path file;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where the embedded Postgres and Kafka keep their data: node.data-dir.")
  private @Nullable String dataDirectory;

  @Option(names = "--port", paramLabel = "PORT", description = "Of the HTTP edge: http.port.")
  private @Nullable String port;

  @Option(
      names = "--kafka-port",
      paramLabel = "PORT",
      description = "Of the embedded Kafka: kafka.port.")
  private @Nullable String kafkaPort;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Sets any key; \"kairos config\" lists them. May be repeated.")
  private List<String> settings = new ArrayList<>();

  /** Everything that was given, the environment included. */
  Sources sources(Map<String, String> environment) {
    List<Given> given = new ArrayList<>();
    add(given, NodeConfig.DATA_DIRECTORY, dataDirectory, "--data-dir");
    add(given, HttpConfig.PORT, port, "--port");
    add(given, KafkaKeys.PORT, kafkaPort, "--kafka-port");
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw new ConfigurationException(
            "--set " + setting + ": expected key=value, such as --set http.port=7071.");
      }
      add(given, setting.substring(0, equals).trim(), setting.substring(equals + 1), "--set");
    }
    Path named = file;
    String byVariable = environment.get(CONFIG_VARIABLE);
    if (named == null && byVariable != null) {
      named = Path.of(byVariable);
    }
    return Sources.of(named, environment, given);
  }

  private static void add(List<Given> given, String key, @Nullable String text, String flag) {
    if (text != null) {
      given.add(new Given(key, text, new Origin.Flag(flag)));
    }
  }
}
