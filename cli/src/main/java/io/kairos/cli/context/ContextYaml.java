package io.kairos.cli.context;

import io.kairos.cli.text.OutputFormat;
import io.kairos.cli.text.YamlText;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Contexts as YAML. */
final class ContextYaml {
  private static final String HEADER = "# Changed by: kairos context\n";
  private static final String ADDRESS = "address";
  private static final String CRON_ADDRESS = "cron-address";
  private static final String TOKEN_FILE = "token-file";
  private static final String OUTPUT = "output";

  private ContextYaml() {}

  static String write(Contexts contexts) {
    Map<String, Object> byName = new LinkedHashMap<>();
    contexts.byName().forEach((name, context) -> byName.put(name, tree(context)));
    Map<String, Object> root = new LinkedHashMap<>();
    put(root, "current", contexts.current());
    root.put("contexts", byName);
    return HEADER + YamlText.of(root) + "\n";
  }

  private static Map<String, Object> tree(Context context) {
    Map<String, Object> tree = new LinkedHashMap<>();
    put(tree, ADDRESS, context.address());
    put(tree, CRON_ADDRESS, context.cronAddress());
    put(tree, TOKEN_FILE, context.tokenFile());
    context.certificates().byName().forEach((key, file) -> put(tree, key, file));
    OutputFormat output = context.output();
    put(tree, OUTPUT, output == null ? null : output.name().toLowerCase(Locale.ROOT));
    return tree;
  }

  private static void put(Map<String, Object> tree, String key, @Nullable Object value) {
    if (value != null) {
      tree.put(key, value.toString());
    }
  }

  /** Throws IllegalArgumentException, with the reason, when the text does not hold contexts. */
  static Contexts read(String text) {
    Map<String, Object> root = map(load(text), "the file", Set.of("current", "contexts"));
    Map<String, Context> byName = new TreeMap<>();
    map(root.get("contexts"), "contexts", null)
        .forEach((name, tree) -> byName.put(name, context(name, tree)));
    return new Contexts(text(root, "current"), new TreeMap<>(byName));
  }

  private static @Nullable Object load(String text) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    try {
      return new Yaml(new SafeConstructor(options)).load(text);
    } catch (YAMLException e) {
      throw new IllegalArgumentException(
          String.valueOf(e.getMessage()).lines().findFirst().orElse("no YAML"), e);
    }
  }

  private static Context context(String name, @Nullable Object tree) {
    Map<String, Object> fields =
        map(
            tree,
            "context " + name,
            Set.of(
                ADDRESS,
                CRON_ADDRESS,
                TOKEN_FILE,
                CallCertificates.CA_FILE,
                CallCertificates.CERTIFICATE,
                CallCertificates.KEY,
                OUTPUT));
    return new Context(
        text(fields, ADDRESS),
        text(fields, CRON_ADDRESS),
        file(name, fields, TOKEN_FILE),
        new CallCertificates(
            file(name, fields, CallCertificates.CA_FILE),
            file(name, fields, CallCertificates.CERTIFICATE),
            file(name, fields, CallCertificates.KEY)),
        format(text(fields, OUTPUT)));
  }

  /** A relative path would name another file in each folder that a command is typed in. */
  private static @Nullable Path file(String name, Map<String, Object> fields, String key) {
    String text = text(fields, key);
    if (text == null) {
      return null;
    }
    Path path = Path.of(text);
    if (!path.isAbsolute() && !text.startsWith("~/")) {
      throw new IllegalArgumentException(
          "the %s of context %s must begin with / or ~/: %s".formatted(key, name, text));
    }
    return path;
  }

  private static @Nullable OutputFormat format(@Nullable String word) {
    if (word == null) {
      return null;
    }
    try {
      return OutputFormat.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("no output format: " + word, e);
    }
  }

  /** Returns a map whose keys are texts; an empty one for null. */
  private static Map<String, Object> map(
      @Nullable Object tree, String place, @Nullable Set<String> keys) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (tree == null) {
      return map;
    }
    if (!(tree instanceof Map<?, ?> given)) {
      throw new IllegalArgumentException(place + " is no mapping");
    }
    given.forEach((key, value) -> {
      String name = String.valueOf(key);
      if (keys != null && !keys.contains(name)) {
        throw new IllegalArgumentException(place + " has the unknown key " + name);
      }
      if (value != null) {
        map.put(name, value);
      }
    });
    return map;
  }

  private static @Nullable String text(Map<String, Object> tree, String key) {
    Object value = tree.get(key);
    if (value instanceof Map || value instanceof Iterable) {
      throw new IllegalArgumentException(key + " is no text");
    }
    return value == null ? null : value.toString();
  }
}
