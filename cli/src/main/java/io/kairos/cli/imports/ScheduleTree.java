package io.kairos.cli.imports;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Schedules in YAML or JSON, whose keys may be Ruby's symbols ({@code :cron}). */
final class ScheduleTree {
  private static final Gson JSON =
      new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

  private ScheduleTree() {}

  /** Reads a document. Throws {@link IllegalArgumentException} with the place of an error. */
  static Map<String, Object> load(String file, String text) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    Object tree;
    try {
      tree = new Yaml(new SafeConstructor(options)).load(text);
    } catch (YAMLException e) {
      throw new IllegalArgumentException(file + " is no YAML or JSON: " + e.getMessage(), e);
    }
    if (!(tree instanceof Map<?, ?>)) {
      throw new IllegalArgumentException(file + ": expected an object with a schedule per name");
    }
    return map(tree);
  }

  /** Returns an object without the fields that are null; empty for anything else. */
  static Map<String, Object> map(@Nullable Object tree) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (tree instanceof Map<?, ?> map) {
      map.forEach((key, value) -> {
        if (value != null) {
          fields.put(String.valueOf(key).replaceFirst("^:", ""), value);
        }
      });
    }
    return fields;
  }

  static String text(Map<String, Object> fields, String field) {
    Object value = fields.get(field);
    if (value == null || value instanceof Map<?, ?> || value instanceof Iterable<?>) {
      throw new IllegalArgumentException("has no " + field + " as a text");
    }
    return value.toString();
  }

  /** Returns a remark for each field that the import does not know. */
  static Iterable<String> remarks(Map<String, Object> fields, Set<String> known) {
    return fields.keySet().stream()
        .filter(field -> !known.contains(field))
        .map(field -> field + " is not taken over")
        .toList();
  }

  static String json(Object value) {
    return JSON.toJson(value);
  }
}
