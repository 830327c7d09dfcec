package io.kairos.server.wiring.command;

import io.kairos.edge.access.HttpConfig;
import io.kairos.server.config.ConfigurationException;
import io.kairos.server.config.GivenSetting;
import io.kairos.server.config.SettingOrigin;
import io.kairos.server.config.SettingSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags for settings that nodes and replicas share. */
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

  /** The settings given by flags that only nodes or only replicas have. */
  abstract List<GivenSetting> flags();

  /** All settings given by flags, environment and file. */
  final SettingSources sources(Map<String, String> environment) {
    List<GivenSetting> given = new ArrayList<>(flags());
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
    return SettingSources.of(named, environment, given);
  }

  /** The setting of one flag; empty when the flag is not given. */
  static List<GivenSetting> given(String key, @Nullable String text, String flag) {
    return text == null
        ? List.of()
        : List.of(new GivenSetting(key, text, SettingOrigin.flag(flag)));
  }
}
