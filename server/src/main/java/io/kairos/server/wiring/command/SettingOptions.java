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
  private final List<GivenSetting> given = new ArrayList<>();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "${env:KAIROS_CONFIG}",
      description =
          "YAML file with settings. The environment wins over it (KAIROS_HTTP_PORT for http.port), flags win over both. KAIROS_CONFIG names it, too.")
  private @Nullable Path file;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Sets any key; \"kairos config\" lists them. May be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(names = "--port", paramLabel = "PORT", description = "Of the HTTP edge: http.port.")
  void port(@Nullable String text) {
    give(HttpConfig.PORT, text, "--port");
  }

  /** Adds the setting of one flag, unless the flag is not given. */
  final void give(String key, @Nullable String text, String flag) {
    if (text != null) {
      given.add(new GivenSetting(key, text, SettingOrigin.flag(flag)));
    }
  }

  /** All settings given by flags, environment and file. */
  final SettingSources sources(Map<String, String> environment) {
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw new ConfigurationException(
            "--set " + setting + ": expected key=value, such as --set http.port=7071.");
      }
      give(setting.substring(0, equals).trim(), setting.substring(equals + 1), "--set");
    }
    return SettingSources.of(file, environment, given);
  }
}
