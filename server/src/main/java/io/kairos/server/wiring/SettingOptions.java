package io.kairos.server.wiring;

import io.kairos.server.config.ConfigurationException;
import io.kairos.server.config.Given;
import io.kairos.server.config.HttpConfig;
import io.kairos.server.config.Origin;
import io.kairos.server.config.Sources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags by which settings are given, the same for every process. */
abstract class SettingOptions {
  private static final String CONFIG_VARIABLE = "KAIROS_CONFIG";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "YAML file with settings. The environment wins over it (KAIROS_HTTP_PORT for http.port), flags win over both. KAIROS_CONFIG names it, too.")
  private @Nullable Path file;

  @Option(names = "--port", paramLabel = "PORT", description = "Of the HTTP edge: http.port.")
  private @Nullable String port;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Sets any key; \"kairos config\" lists them. May be repeated.")
  private List<String> settings = new ArrayList<>();

  /** What the flags say that are those of one process alone. */
  abstract List<Given> flags();

  /** Everything that was given, the environment included. */
  final Sources sources(Map<String, String> environment) {
    List<Given> given = new ArrayList<>(flags());
    given.addAll(given(HttpConfig.PORT, port, "--port"));
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw new ConfigurationException(
            "--set " + setting + ": expected key=value, such as --set http.port=7071.");
      }
      given.addAll(
          given(setting.substring(0, equals).trim(), setting.substring(equals + 1), "--set"));
    }
    Path named = file;
    String byVariable = environment.get(CONFIG_VARIABLE);
    if (named == null && byVariable != null) {
      named = Path.of(byVariable);
    }
    return Sources.of(named, environment, given);
  }

  /** One or none. */
  static List<Given> given(String key, @Nullable String text, String flag) {
    return text == null ? List.of() : List.of(new Given(key, text, new Origin.Flag(flag)));
  }
}
