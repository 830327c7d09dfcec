package io.kairos.server.config;

import io.kairos.server.text.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Answers the configuration records' questions, key by key, and remembers every question: so it
 * knows which given keys are unknown, what the effective configuration is, and how to document it.
 * Problems are gathered and told together by {@link #finish}; until then the default stands in.
 * Used once, at start, by one thread.
 */
public final class Settings {
  private static final String MASK = "***";
  private static final Pattern SECRET =
      Pattern.compile(".*(password|secret|jaas|token|credential|\\.key$|key-?store\\.key).*");
  private static final Pattern SECRET_IN_URL =
      Pattern.compile("(?i)(?<=password=|secret=)[^&\\s]+|(?<=//)[^/@\\s]+(?=@)");
  private static final Pattern WORD = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

  private final Sources sources;
  private final Map<String, Setting> asked = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  public Settings(Sources sources) {
    this.sources = sources;
  }

  /** The value of a key, or the default. */
  public <T> T value(String key, Kind<T> kind, T fallback, String about) {
    String shown = kind.print(fallback);
    return ask(key, kind, shown.isEmpty() ? "none" : shown, shown, about).orElse(fallback);
  }

  /** The value of a key that has no default. */
  public <T> Optional<T> optional(String key, Kind<T> kind, String about) {
    return ask(key, kind, "none", "", about);
  }

  private <T> Optional<T> ask(
      String key, Kind<T> kind, String fallback, String otherwise, String about) {
    Optional<Given> given = sources.find(key);
    String text = given.map(Given::text).orElse(otherwise);
    Optional<T> value = given.flatMap(found -> read(found, kind));
    Origin origin = given.isPresent() ? given.get().origin() : new Origin.Default();
    asked.put(
        key,
        new Setting(
            key,
            kind.name(),
            fallback,
            masked(key, value.map(kind::print).orElse(text)),
            origin,
            about));
    return value;
  }

  private <T> Optional<T> read(Given given, Kind<T> kind) {
    try {
      return Optional.of(kind.read(given.text().trim()));
    } catch (IllegalArgumentException e) {
      problem(
          "%s is \"%s\" (%s): it must be %s."
              .formatted(
                  given.key(), masked(given.key(), given.text()), given.origin(), kind.allowed()));
      return Optional.empty();
    }
  }

  private static String masked(String key, String text) {
    if (text.isEmpty()) {
      return text;
    }
    return SECRET.matcher(key).matches() ? MASK : SECRET_IN_URL.matcher(text).replaceAll(MASK);
  }

  /** True when somebody gave the key a value. */
  public boolean isGiven(String key) {
    return sources.find(key).isPresent();
  }

  /**
   * The names that stand between the prefix and one of the leaves, in any source: {@code orders}
   * for {@code delay.routes.orders.input}.
   */
  public Set<String> names(String prefix, Set<String> leaves) {
    Set<String> names = new TreeSet<>();
    for (String rest : sources.restsBelow(prefix)) {
      int dot = rest.indexOf('.');
      if (dot > 0 && leaves.contains(rest.substring(dot + 1))) {
        names.add(rest.substring(0, dot));
      }
    }
    for (String rest : sources.environment().namesBelow(prefix)) {
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
        problem(
            "%s.%s: a name must be lower-case letters, digits and hyphens, at most 64."
                .formatted(prefix, name));
      }
      return bad;
    });
    return names;
  }

  /** Explains keys below the prefix that exist only when somebody gives them. */
  public void family(String prefix, String about) {
    asked.put(
        prefix + ".*", new Setting(prefix + ".*", "text", "none", "", new Origin.Default(), about));
  }

  /** All keys below the prefix, whatever they are called: settings of a library. */
  public Map<String, String> all(String prefix, String about) {
    family(prefix, about);
    Set<String> rests = new TreeSet<>(sources.restsBelow(prefix));
    for (String rest : sources.environment().namesBelow(prefix)) {
      String name = rest.endsWith("_FILE") ? rest.substring(0, rest.length() - 5) : rest;
      rests.add(name.toLowerCase(Locale.ROOT).replace('_', '.'));
    }
    Map<String, String> values = new TreeMap<>();
    for (String rest : rests) {
      String key = prefix + "." + rest;
      optional(key, Kind.TEXT, about).ifPresent(value -> values.put(rest, value));
    }
    return values;
  }

  /**
   * Builds a record from answers. What its constructor refuses becomes a problem that shows every
   * key that the refusal names.
   */
  public <T> Optional<T> build(Supplier<T> constructor) {
    try {
      return Optional.of(constructor.get());
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      problem(message + mentioned(message) + ".");
      return Optional.empty();
    }
  }

  private String mentioned(String message) {
    String shown =
        asked.values().stream()
            .filter(setting -> mentions(message, setting.key()))
            .map(setting ->
                setting.text().isEmpty()
                    ? setting.key() + " is not set"
                    : "%s is %s, %s".formatted(setting.key(), setting.text(), setting.origin()))
            .collect(Collectors.joining("; "));
    return shown.isEmpty() ? "" : " (" + shown + ")";
  }

  private static boolean mentions(String message, String key) {
    return Pattern.compile("(?<![\\w.-])" + Pattern.quote(key) + "(?![\\w-]|\\.\\w)")
        .matcher(message)
        .find();
  }

  /** Says that values which are fine by themselves do not go together. */
  public void contradiction(String message) {
    problem(message + mentioned(message) + ".");
  }

  private void problem(String sentence) {
    problems.add(sentence);
  }

  /**
   * Ends the questions.
   *
   * @throws ConfigurationException with every problem, unknown keys included
   */
  public void finish() {
    for (Given given : sources.spelled()) {
      if (!asked.containsKey(given.key())) {
        problem(
            "%s (%s) is not a key that Kairos knows%s"
                .formatted(
                    given.key(), given.origin(), hint(given.key(), asked.keySet(), key -> key)));
      }
    }
    for (String variable : sources.environment().unused()) {
      String key = variable.substring(Environment.PREFIX.length()).replace('_', '-');
      problem(
          "%s is set in the environment but belongs to no key that Kairos knows%s"
              .formatted(variable, hintForVariable(key)));
    }
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
  }

  private String hintForVariable(String key) {
    Map<String, String> byVariable = new TreeMap<>();
    asked.keySet().forEach(known -> byVariable.put(known.replace('.', '-'), known));
    return hint(
        key,
        byVariable.keySet(),
        close -> Environment.variableOf(byVariable.getOrDefault(close, close)));
  }

  private static String hint(String key, Set<String> known, UnaryOperator<String> spelling) {
    return Suggestion.of(key, known)
        .map(close -> "; did you mean " + spelling.apply(close) + "?")
        .orElse("; \"kairos config\" lists all.");
  }

  /** Every key that was asked for, in that order, with its effective value. */
  public List<Setting> effective() {
    return List.copyOf(asked.values());
  }
}
