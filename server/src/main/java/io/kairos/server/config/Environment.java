package io.kairos.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The variables of the environment that are meant for the node: {@code KAIROS_} and the key in
 * capitals, with underscores for dots and hyphens. With {@code _FILE} behind it the variable names
 * a file that holds the value, as containers hand over secrets.
 */
final class Environment {
  static final String PREFIX = "KAIROS_";
  private static final String FILE_SUFFIX = "_FILE";

  /** Read by the launcher, or before there is a configuration. */
  private static final Set<String> OTHERS =
      Set.of("KAIROS_JAVA_HOME", "KAIROS_JAVA_OPTS", "KAIROS_CONFIG");

  /** What Kubernetes gives every container when a service is called "kairos" or "kairos-...". */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "KAIROS_(\\w+_)?(SERVICE_(HOST|PORT)(_\\w+)?|PORT(_\\d+_(TCP|UDP)(_\\w+)?)?)");

  private static final Pattern SERVICE_ADDRESS =
      Pattern.compile("(tcp|udp)://.*|[0-9.]+|\\d+|tcp|udp");

  private final Map<String, String> variables = new TreeMap<>();
  private final Set<String> unused = new TreeSet<>();

  Environment(Map<String, String> all) {
    all.forEach((name, value) -> {
      // An empty variable is one that somebody took away without being able to.
      if (name.startsWith(PREFIX) && !OTHERS.contains(name) && !value.isEmpty()) {
        variables.put(name, value);
      }
    });
    unused.addAll(variables.keySet());
  }

  static String variableOf(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  Optional<Given> find(String key) {
    String name = variableOf(key);
    String inFile = name + FILE_SUFFIX;
    String value = variables.get(name);
    String file = variables.get(inFile);
    if (file != null) {
      if (value != null) {
        throw new ConfigurationException(
            "Both " + name + " and " + inFile + " are set; set one of them.");
      }
      unused.remove(inFile);
      return Optional.of(new Given(key, contentOf(inFile, file), new Origin.Variable(inFile)));
    }
    unused.remove(name);
    return value == null
        ? Optional.empty()
        : Optional.of(new Given(key, value, new Origin.Variable(name)));
  }

  private static String contentOf(String variable, String file) {
    try {
      return Files.readString(Path.of(file)).stripTrailing();
    } catch (IOException e) {
      throw new ConfigurationException(
          "The file " + file + " (environment variable " + variable + ") cannot be read: " + e);
    }
  }

  /** The rest of every variable's name that begins like the key, in capitals. */
  Set<String> namesBelow(String key) {
    String prefix = variableOf(key) + "_";
    Set<String> rests = new TreeSet<>();
    for (String name : variables.keySet()) {
      if (name.startsWith(prefix)) {
        rests.add(name.substring(prefix.length()));
      }
    }
    return rests;
  }

  /** Variables that belong to no key that was asked for. */
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
