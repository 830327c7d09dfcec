package io.kairos.server.config;

import io.kairos.domain.text.SpellingSuggestion;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.ConfigRecord.Part;
import io.kairos.engine.setting.DeclaredSetting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes configuration records from the sources, by the settings that the records' components
 * declare. Remembers every key, so that it can find unknown keys, list the effective configuration
 * and document it. Collects problems; {@link #finish} throws them together. Used once, at start, by
 * one thread.
 */
public final class SettingsReader {
  private static final String MASK = "***";
  private static final String MISSING = "%s is missing: %s.";
  private static final Pattern SECRET =
      Pattern.compile(
          ".*(password|secret|jaas|token|credential|\\.key$|key-?store\\.key|otlp\\.headers).*");
  private static final Pattern SECRET_IN_URL =
      Pattern.compile("(?i)(?<=password=|secret=)[^&\\s]+|(?<=//)[^/@\\s]+(?=@)");

  /** Keys below say what callers may do; left out they may do all, so none is given empty. */
  static final String LIMITS = "http.callers.";

  /** Permitted names of routes and callers. */
  static final String NAME_PATTERN = "[a-z0-9][a-z0-9-]{0,63}";

  private static final Pattern WORD = Pattern.compile(NAME_PATTERN);

  /** The component with the operator's name, in records of which there may be several. */
  private static final String NAME = "name";

  private final SettingSources sources;
  private final long maxHeapBytes;
  private final Map<String, String> defaults = new HashMap<>();
  private final Map<String, GivenSetting> effective = new LinkedHashMap<>();
  private final Map<String, DocumentedSetting> documented = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  /** Reads for the heap of this virtual machine. */
  public SettingsReader(SettingSources sources) {
    this(sources, Runtime.getRuntime().maxMemory());
  }

  /** Reads for a heap of this size; below 1 GiB some defaults are smaller. */
  public SettingsReader(SettingSources sources, long maxHeapBytes) {
    this.sources = sources;
    this.maxHeapBytes = maxHeapBytes;
  }

  /** Replaces the declared default of a key. */
  public SettingsReader withDefault(String key, String text) {
    defaults.put(key, text);
    return this;
  }

  /** Makes a record; empty when there are problems. */
  public <R extends Record> Optional<R> bind(Class<R> type) {
    return bind(type, Map.of());
  }

  /**
   * Makes a record.
   *
   * @param supplied values that are no settings, by the names of their components
   * @return empty when there are problems
   */
  public <R extends Record> Optional<R> bind(Class<R> type, Map<String, ?> supplied) {
    return bind(ConfigRecord.of(type), supplied);
  }

  /**
   * Makes one record for each name that any source has in place of {@code <name>} in the record's
   * keys: {@code orders} for {@code delay.routes.orders.input}.
   *
   * @param otherwise the names when the sources have none
   */
  public <R extends Record> List<R> bindAll(Class<R> type, Set<String> otherwise) {
    return bindAll(ConfigRecord.of(type), otherwise);
  }

  private <R extends Record> List<R> bindAll(ConfigRecord<R> record, Set<String> otherwise) {
    record.settings().forEach(this::document);
    Set<String> names = names(record.settings());
    return (names.isEmpty() ? otherwise : names)
        .stream().flatMap(name -> bind(record, Map.of(NAME, name)).stream()).toList();
  }

  /**
   * Reads the text of a key whose value decides which records are read: the one that a source or
   * {@link #withDefault} gives it, or an empty text.
   */
  public String textOf(String key) {
    GivenSetting unless =
        new GivenSetting(key, defaults.getOrDefault(key, ""), SettingOrigin.DEFAULT);
    GivenSetting read = sources.find(key).orElse(unless);
    show(key, read.text(), read.origin());
    return read.text().trim();
  }

  /**
   * Documents the settings of a record that this process goes without, and refuses those that a
   * source gives, except for keys that were read before.
   *
   * @param why says what they are for and what to do; follows the keys in the message
   */
  public void without(Class<? extends Record> type, String why) {
    List<DeclaredSetting> settings =
        ConfigRecord.of(type).settings().stream().filter(each -> !each.key().isEmpty()).toList();
    settings.forEach(this::document);
    List<GivenSetting> given =
        settings.stream()
            .flatMap(setting -> keys(setting, settings))
            .filter(key -> !effective.containsKey(key))
            .flatMap(key -> sources.find(key).stream())
            .toList();
    given.forEach(setting -> show(setting.key(), setting.text(), setting.origin()));
    if (!given.isEmpty()) {
      contradiction(
          given.stream().map(GivenSetting::key).collect(Collectors.joining(", ", "", ": ")) + why);
    }
  }

  /** The keys that the sources may give for a setting of a record. */
  private Stream<String> keys(DeclaredSetting setting, List<DeclaredSetting> all) {
    if (setting.isLibrary()) {
      return rests(setting).stream().map(rest -> setting.prefix() + "." + rest);
    }
    return setting.key().contains("<name>")
        ? names(all).stream().map(setting::key)
        : Stream.of(setting.key());
  }

  private <R extends Record> Optional<R> bind(ConfigRecord<R> record, Map<String, ?> supplied) {
    int before = problems.size();
    List<@Nullable Object> values = new ArrayList<>();
    for (Part part : record.parts()) {
      values.add(
          supplied.containsKey(part.name()) ? supplied.get(part.name()) : value(part, supplied));
    }
    if (problems.size() > before) {
      return Optional.empty();
    }
    try {
      return Optional.of(record.create(values));
    } catch (IllegalArgumentException e) {
      contradiction(String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  /** The value of one component; null when there is a problem with it. */
  private @Nullable Object value(Part part, Map<String, ?> supplied) {
    return switch (part) {
      case Part.Value(String _, DeclaredSetting setting) -> {
        Object name = supplied.get(NAME);
        yield setting.isLibrary()
            ? library(setting)
            : ask(setting, name == null ? setting.key() : setting.key(name.toString()));
      }
      case Part.Nested(String _, ConfigRecord<?> record, boolean isOptional) ->
          isOptional
              ? bindIfGiven(record, supplied)
              : bind(record, supplied).<Object>map(each -> each).orElse(null);
      case Part.Named(String _, ConfigRecord<?> record) -> bindAll(record, Set.of());
      case Part.Supplied(String name) ->
          throw new IllegalStateException(name + " is declared nowhere and was not supplied");
    };
  }

  /**
   * Makes an optional record, or none when none of its settings is given. Once one is given, its
   * required settings must be given too.
   */
  private Optional<?> bindIfGiven(ConfigRecord<?> record, Map<String, ?> supplied) {
    List<DeclaredSetting> missing =
        record.settings().stream()
            .filter(setting -> setting.isRequired() && !isGiven(setting.key()))
            .toList();
    if (missing.isEmpty()) {
      return bind(record, supplied);
    }
    for (DeclaredSetting setting : record.settings()) {
      document(setting);
      sources
          .find(setting.key())
          .ifPresentOrElse(
              given -> read(setting, given), () -> show(setting.key(), "", SettingOrigin.DEFAULT));
    }
    if (record.settings().stream().anyMatch(setting -> isGiven(setting.key()))) {
      problems.add(
          MISSING.formatted(
              missing.stream().map(DeclaredSetting::key).collect(Collectors.joining(", ")),
              missing.getFirst().otherwise()));
    }
    return Optional.empty();
  }

  private @Nullable Object ask(DeclaredSetting setting, String key) {
    String fallback = defaults.getOrDefault(key, setting.defaultValue(maxHeapBytes));
    if (key.isEmpty()) {
      return setting.fallback(fallback, ConfigFormats.ALL);
    }
    document(setting);
    Optional<GivenSetting> given = sources.find(key);
    if (given.isPresent()) {
      return read(setting, given.get());
    }
    if (setting.isRequired() && fallback.isEmpty()) {
      show(key, "", SettingOrigin.DEFAULT);
      problems.add(MISSING.formatted(key, setting.otherwise()));
      return null;
    }
    Object value = setting.fallback(fallback, ConfigFormats.ALL);
    show(key, setting.print(value, ConfigFormats.ALL), SettingOrigin.DEFAULT);
    return value;
  }

  private @Nullable Object read(DeclaredSetting setting, GivenSetting given) {
    if (given.key().startsWith(LIMITS) && given.text().isBlank()) {
      show(given.key(), given.text(), given.origin());
      problems.add(
          "%s is empty (%s), which is not the same as left out: give it a value, or remove it"
              .formatted(given.key(), given.origin().text()));
      return null;
    }
    try {
      Object value = setting.read(given.text().trim(), ConfigFormats.ALL);
      show(given.key(), setting.print(value, ConfigFormats.ALL), given.origin());
      return value;
    } catch (IllegalArgumentException _) {
      show(given.key(), given.text(), given.origin());
      problems.add(
          "%s is \"%s\" (%s): it must be %s."
              .formatted(
                  given.key(),
                  masked(given.key(), given.text()),
                  given.origin().text(),
                  setting.rule(ConfigFormats.ALL)));
      return null;
    }
  }

  /** The values of all keys below the prefix, which a library defines. */
  private Map<String, String> library(DeclaredSetting setting) {
    document(setting);
    Map<String, String> values = new TreeMap<>();
    for (String rest : rests(setting)) {
      sources
          .find(setting.prefix() + "." + rest)
          .ifPresent(given -> values.put(rest, String.valueOf(read(setting, given))));
    }
    return values;
  }

  private Set<String> rests(DeclaredSetting library) {
    Set<String> rests = new TreeSet<>(sources.restsBelow(library.prefix()));
    for (String rest : sources.environment().restsBelow(library.prefix())) {
      String name = rest.endsWith("_FILE") ? rest.substring(0, rest.length() - 5) : rest;
      rests.add(name.toLowerCase(Locale.ROOT).replace('_', '.'));
    }
    return rests;
  }

  private void document(DeclaredSetting setting) {
    documented.computeIfAbsent(
        setting.key(),
        key ->
            new DocumentedSetting(
                setting,
                setting.format(ConfigFormats.ALL),
                setting.print(
                    setting.fallback(
                        defaults.getOrDefault(key, setting.defaultValue()), ConfigFormats.ALL),
                    ConfigFormats.ALL),
                setting.bounds(ConfigFormats.ALL)));
  }

  private void show(String key, String text, SettingOrigin origin) {
    effective.put(key, new GivenSetting(key, masked(key, text), origin));
  }

  private static String masked(String key, String text) {
    if (text.isEmpty()) {
      return text;
    }
    return SECRET.matcher(key).matches() ? MASK : SECRET_IN_URL.matcher(text).replaceAll(MASK);
  }

  /** True when a source gives the key a value. */
  public boolean isGiven(String key) {
    return sources.find(key).isPresent();
  }

  private Set<String> names(List<DeclaredSetting> settings) {
    String prefix = settings.getFirst().key().split("\\.<name>\\.", 2)[0];
    Set<String> leaves =
        settings.stream()
            .map(setting -> setting.key().substring(prefix.length() + ".<name>.".length()))
            .collect(Collectors.toSet());
    Set<String> names = new TreeSet<>();
    for (String rest : sources.restsBelow(prefix)) {
      int dot = rest.indexOf('.');
      if (dot > 0 && leaves.contains(rest.substring(dot + 1))) {
        names.add(rest.substring(0, dot));
      }
    }
    for (String rest : sources.environment().restsBelow(prefix)) {
      for (String leaf : leaves) {
        for (String suffix : List.of("", "_FILE")) {
          String end = "_" + leaf.toUpperCase(Locale.ROOT).replace('-', '_') + suffix;
          if (rest.endsWith(end) && rest.length() > end.length()) {
            String name = rest.substring(0, rest.length() - end.length());
            names.add(name.toLowerCase(Locale.ROOT).replace('_', '-'));
          }
        }
      }
    }
    names.removeIf(name -> {
      boolean bad = !WORD.matcher(name).matches();
      if (bad) {
        problems.add(
            "%s.%s: a name must be lower-case letters, digits and hyphens, at most 64."
                .formatted(prefix, name));
      }
      return bad;
    });
    return names;
  }

  private String mentioned(String message) {
    String shown =
        effective.values().stream()
            .filter(setting -> mentions(message, setting.key()))
            .map(setting ->
                setting.text().isEmpty()
                    ? setting.key() + " is not set"
                    : "%s is %s, %s"
                        .formatted(setting.key(), setting.text(), setting.origin().text()))
            .collect(Collectors.joining("; "));
    return shown.isEmpty() ? "" : " (" + shown + ")";
  }

  private static boolean mentions(String message, String key) {
    return Pattern.compile("(?<![\\w.-])" + Pattern.quote(key) + "(?![\\w-]|\\.\\w)")
        .matcher(message)
        .find();
  }

  /**
   * Adds a problem with a combination of values that are valid by themselves, with the value of
   * every key that the message names.
   */
  public void contradiction(String message) {
    problems.add(message + mentioned(message) + ".");
  }

  /**
   * Ends the reading.
   *
   * @throws ConfigurationException with every problem, unknown keys included
   */
  public void finish() {
    Set<String> known =
        Stream.concat(effective.keySet().stream(), documented.keySet().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    for (GivenSetting given : sources.spelled()) {
      if (!effective.containsKey(given.key())) {
        problems.add(
            "%s (%s) is not a key that Kairos knows%s"
                .formatted(
                    given.key(), given.origin().text(), hint(given.key(), known, key -> key)));
      }
    }
    for (String variable : sources.environment().unused()) {
      String key = variable.substring(EnvironmentSource.PREFIX.length()).replace('_', '-');
      problems.add(
          "%s is set in the environment but belongs to no key that Kairos knows%s"
              .formatted(variable, hintForVariable(key, known)));
    }
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
  }

  private static String hintForVariable(String key, Set<String> known) {
    Map<String, String> byVariable = new TreeMap<>();
    known.forEach(each -> byVariable.put(each.replace('.', '-'), each));
    return hint(
        key,
        byVariable.keySet(),
        close -> EnvironmentSource.variableOf(byVariable.getOrDefault(close, close)));
  }

  private static String hint(String key, Set<String> known, UnaryOperator<String> spelling) {
    return SpellingSuggestion.of(key, known)
        .map(close -> "; did you mean " + spelling.apply(close) + "?")
        .orElse("; \"kairos config\" lists all.");
  }

  /** Every key with its effective value, in the order of reading. */
  public List<GivenSetting> effective() {
    return List.copyOf(effective.values());
  }

  /** Every setting that was read or may be given, in the order of reading. */
  public List<DocumentedSetting> documented() {
    return List.copyOf(documented.values());
  }
}
