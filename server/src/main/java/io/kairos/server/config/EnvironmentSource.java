package io.kairos.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Settings from environment variables: {@code KAIROS_} and the key in capitals, with underscores
 * for dots and hyphens. A variable that ends with {@code _FILE} names a file with the value, which
 * is how containers pass secrets.
 */
final class EnvironmentSource {
  static final String PREFIX = "KAIROS_";
  private static final String FILE_SUFFIX = "_FILE";

  /**
   * Variables that are no settings: the launcher, the command line or the file search reads them.
   */
  private static final Set<String> OTHERS =
      Set.of(
          "KAIROS_JAVA_HOME",
          "KAIROS_JAVA_OPTS",
          "KAIROS_CONFIG",
          "KAIROS_ADDRESS",
          "KAIROS_CRON_ADDRESS",
          "KAIROS_CONTEXT",
          "KAIROS_TOKEN");

  /** Variables that Kubernetes sets in every container for a service called kairos or kairos-…. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "KAIROS_(\\w+_)?(SERVICE_(HOST|PORT)(_\\w+)?|PORT(_\\d+_(TCP|UDP)(_\\w+)?)?)");

  private static final Pattern SERVICE_ADDRESS =
      Pattern.compile("(tcp|udp)://.*|[0-9.]+|\\d+|tcp|udp");

  private final Map<String, String> variables = new TreeMap<>();
  private final Set<String> unused = new TreeSet<>();

  EnvironmentSource(Map<String, String> all) {
    all.forEach((name, value) -> {
      // An empty variable counts as absent, because some tools cannot remove a variable. Not so
      // where a limit that is absent would open what it was to close.
      boolean isGiven = !value.isEmpty() || name.startsWith(variableOf(SettingsReader.LIMITS));
      if (name.startsWith(PREFIX) && !OTHERS.contains(name) && isGiven) {
        variables.put(name, value);
      }
    });
    unused.addAll(variables.keySet());
  }

  static String variableOf(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  Optional<GivenSetting> find(String key) {
    List<String> names =
        SettingSources.spellings(key).stream()
            .map(EnvironmentSource::variableOf)
            .flatMap(name -> Stream.of(name, name + FILE_SUFFIX))
            .filter(variables::containsKey)
            .toList();
    if (names.size() > 1) {
      throw new ConfigurationException(
          "Both " + names.get(0) + " and " + names.get(1) + " are set; set one of them.");
    }
    unused.removeAll(names);
    return names.stream().findFirst().map(name -> given(key, name));
  }

  private GivenSetting given(String key, String name) {
    String value = variables.getOrDefault(name, "");
    return new GivenSetting(
        key,
        name.endsWith(FILE_SUFFIX) ? contentOf(name, value) : value,
        SettingOrigin.variable(name));
  }

  private static String contentOf(String variable, String file) {
    try {
      return Files.readString(Path.of(file)).stripTrailing();
    } catch (IOException e) {
      throw new ConfigurationException(
          "The file " + file + " (environment variable " + variable + ") cannot be read: " + e);
    }
  }

  /** The rests of the names of variables below a key, in capitals. */
  Set<String> restsBelow(String key) {
    return SettingSources.rests(variables.keySet().stream(), variableOf(key) + "_");
  }

  /** Variables that belong to no key. */
  Set<String> unused() {
    Set<String> unknown = new TreeSet<>();
    for (String name : unused) {
      if (!(SERVICE_LINK.matcher(name).matches()
          && SERVICE_ADDRESS.matcher(variables.getOrDefault(name, "")).matches())) {
        unknown.add(name);
      }
    }
    return unknown;
  }
}
