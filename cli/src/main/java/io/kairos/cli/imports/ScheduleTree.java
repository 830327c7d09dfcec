package io.kairos.cli.imports;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonSerializer;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Schedules in YAML or JSON, whose keys may be Ruby's symbols ({@code :cron}). */
final class ScheduleTree {
  /** What is read of a file, and what its aliases may make of it. */
  private static final int MOST_CHARACTERS = 3 << 20;

  private static final int DEEPEST = 100;

  private static final JsonSerializer<Object> NOT_IN_JSON =
      (value, type, context) -> {
        throw new IllegalArgumentException(
            "has a date or bytes, which JSON does not have: write them in quotes");
      };

  private static final Gson JSON =
      new GsonBuilder()
          .disableHtmlEscaping()
          .serializeNulls()
          .registerTypeHierarchyAdapter(Date.class, NOT_IN_JSON)
          .registerTypeAdapter(byte[].class, NOT_IN_JSON)
          .create();

  private ScheduleTree() {}

  /** Reads a document. Throws {@link IllegalArgumentException} with the place of an error. */
  static Map<String, Object> load(String file, String text) {
    Object tree = tree(file, text);
    if (!(tree instanceof Map<?, ?>)) {
      throw new IllegalArgumentException(file + ": expected an object with a schedule per name");
    }
    return map(tree);
  }

  /**
   * Reads a document whose aliases are bounded: written out, it is no larger than a file may be.
   * Throws {@link IllegalArgumentException} with the place of an error.
   */
  static @Nullable Object tree(String file, String text) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    try {
      Object tree = new Yaml(new SafeConstructor(options)).load(text);
      writtenOut(file, tree, 0, 0);
      return tree;
    } catch (YAMLException e) {
      throw new IllegalArgumentException(file + " is no YAML or JSON: " + e.getMessage(), e);
    }
  }

  /** Returns the characters before a part and in it. */
  private static int writtenOut(String file, @Nullable Object part, int depth, int before) {
    int size = before + 1;
    if (depth > DEEPEST || size > MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          file + ": written out, its aliases have no end or more than 3 MiB");
    }
    switch (part) {
      case Map<?, ?> map -> {
        for (Map.Entry<?, ?> field : map.entrySet()) {
          size = writtenOut(file, field.getKey(), depth + 1, size);
          size = writtenOut(file, field.getValue(), depth + 1, size);
        }
      }
      case Iterable<?> list -> {
        for (Object one : list) {
          size = writtenOut(file, one, depth + 1, size);
        }
      }
      case Object[] pair -> size = writtenOut(file, List.of(pair), depth + 1, size);
      case null, default -> size += String.valueOf(part).length();
    }
    return size;
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

  /** Returns the time zone that a field names. */
  static ZoneId zone(Map<String, Object> fields, String field) {
    String name = text(fields, field);
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "%s: %s is no time zone, such as Europe/Berlin".formatted(field, name), e);
    }
  }

  /** Returns a remark for each field that the import does not know. */
  static List<String> remarks(Map<String, Object> fields, Set<String> known) {
    return fields.keySet().stream()
        .filter(field -> !known.contains(field))
        .map(field -> field + " is not taken over")
        .toList();
  }

  static String json(Object value) {
    return JSON.toJson(value);
  }
}
