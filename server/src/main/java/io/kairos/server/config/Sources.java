package io.kairos.server.config;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What was given: by flags, by the environment, by the file. The first of these wins. */
public final class Sources {
  private final Map<String, Given> file;
  private final Environment environment;
  private final Map<String, Given> flags;

  private Sources(
      Map<String, Given> file, Map<String, String> environment, Map<String, Given> flags) {
    this.file = file;
    this.environment = new Environment(environment);
    this.flags = flags;
  }

  /**
   * Reads the file.
   *
   * @param file or null for none
   * @param flags in the order of the command line; the same key twice with two values contradicts
   * @throws ConfigurationException when the file cannot be read or flags contradict each other
   */
  public static Sources of(
      @Nullable Path file, Map<String, String> environment, Collection<Given> flags) {
    Map<String, Given> byKey = new LinkedHashMap<>();
    for (Given given : flags) {
      Given before = byKey.put(given.key(), given);
      if (before != null && !before.text().equals(given.text())) {
        throw new ConfigurationException(
            "%s is given twice: %s by %s and %s by %s."
                .formatted(
                    given.key(), before.text(), before.origin(), given.text(), given.origin()));
      }
    }
    return new Sources(file == null ? Map.of() : YamlFile.read(file), environment, byKey);
  }

  /** Nothing given: every value is the default. */
  public static Sources none() {
    return new Sources(Map.of(), Map.of(), Map.of());
  }

  Optional<Given> find(String key) {
    Optional<Given> fromEnvironment = environment.find(key);
    Given flag = flags.get(key);
    if (flag != null) {
      return Optional.of(flag);
    }
    return fromEnvironment.or(() -> Optional.ofNullable(file.get(key)));
  }

  /** Keys given in the file or by flags. */
  Collection<Given> spelled() {
    Map<String, Given> all = new LinkedHashMap<>(file);
    all.putAll(flags);
    return all.values();
  }

  /** What stands behind the prefix and its dot in any key given in the file or by flags. */
  Set<String> restsBelow(String prefix) {
    Set<String> rests = new TreeSet<>();
    for (Given given : spelled()) {
      if (given.key().startsWith(prefix + ".")) {
        rests.add(given.key().substring(prefix.length() + 1));
      }
    }
    return rests;
  }

  Environment environment() {
    return environment;
  }
}
