package io.kairos.server.config;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sources of settings: flags, environment and file. The first of these wins. */
public final class SettingSources {
  /** Keys that a source may spell by their first word alone: {@code kafka: none}. */
  private static final Map<String, String> BY_FIRST_WORD =
      Map.of("kafka", "kafka.bootstrap-servers");

  private final Map<String, GivenSetting> file;
  private final EnvironmentSource environment;
  private final Map<String, GivenSetting> flags;

  private SettingSources(
      Map<String, GivenSetting> file,
      Map<String, String> environment,
      Map<String, GivenSetting> flags) {
    this.file = file;
    this.environment = new EnvironmentSource(environment);
    this.flags = flags;
  }

  /**
   * Reads the file and combines the sources. Messages show no value, which may be a secret.
   *
   * @param file null for none
   * @param flags in the order of the command line; one key must not have two values
   * @throws ConfigurationException when the file cannot be read or flags contradict each other
   */
  public static SettingSources of(
      @Nullable Path file, Map<String, String> environment, Collection<GivenSetting> flags) {
    Map<String, GivenSetting> byKey = new LinkedHashMap<>();
    for (GivenSetting spelled : flags) {
      GivenSetting given =
          new GivenSetting(wholeKey(spelled.key()), spelled.text(), spelled.origin());
      GivenSetting before = byKey.put(given.key(), given);
      if (before != null && !before.text().equals(given.text())) {
        throw new ConfigurationException(
            "%s is given twice with different values: by %s and by %s."
                .formatted(given.key(), before.origin().text(), given.origin().text()));
      }
    }
    return new SettingSources(file == null ? Map.of() : YamlFile.read(file), environment, byKey);
  }

  /** Sources without settings: every value is the default. */
  public static SettingSources none() {
    return new SettingSources(Map.of(), Map.of(), Map.of());
  }

  /** The key that a source spells in this way. */
  static String wholeKey(String spelled) {
    return BY_FIRST_WORD.getOrDefault(spelled, spelled);
  }

  /** True when the word is the beginning of keys, and also a spelling of one of them. */
  static boolean isFirstWord(String word) {
    return BY_FIRST_WORD.containsKey(word);
  }

  /** Every spelling of a key. */
  static List<String> spellings(String key) {
    return Stream.concat(
            Stream.of(key),
            BY_FIRST_WORD.keySet().stream().filter(word -> wholeKey(word).equals(key)))
        .toList();
  }

  Optional<GivenSetting> find(String key) {
    Optional<GivenSetting> fromEnvironment = environment.find(key);
    GivenSetting flag = flags.get(key);
    if (flag != null) {
      return Optional.of(flag);
    }
    return fromEnvironment.or(() -> Optional.ofNullable(file.get(key)));
  }

  /** Keys given in the file or by flags. */
  Collection<GivenSetting> spelled() {
    Map<String, GivenSetting> all = new LinkedHashMap<>(file);
    all.putAll(flags);
    return all.values();
  }

  /** The rests of keys in the file and in flags that begin with the prefix and a dot. */
  Set<String> restsBelow(String prefix) {
    return rests(spelled().stream().map(GivenSetting::key), prefix + ".");
  }

  /**
   * True when the file, a flag or a variable gives a key below this word, and none was read yet.
   */
  public boolean gives(String word) {
    String variables = EnvironmentSource.variableOf(word) + "_";
    return !restsBelow(word).isEmpty()
        || environment.unused().stream().anyMatch(name -> name.startsWith(variables));
  }

  static Set<String> rests(Stream<String> names, String prefix) {
    return names
        .filter(name -> name.startsWith(prefix))
        .map(name -> name.substring(prefix.length()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  EnvironmentSource environment() {
    return environment;
  }
}
