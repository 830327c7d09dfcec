package io.kairos.server.config;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kairos.engine.setting.ValueFormat;
import io.kairos.engine.setting.ValueFormats.ListFormat;
import io.kairos.engine.setting.ValueFormats.WordFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes settings as a JSON Schema (draft 2020-12), with which editors complete, explain and check
 * a YAML file. The file may nest keys or spell them with dots, so each object has as properties the
 * first word, every longer beginning and the whole of each key below it.
 */
public final class SettingsSchema {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DEFINITIONS = "$defs";

  private final List<DocumentedSetting> settings;
  private final ObjectNode schema = JSON.createObjectNode();
  private final ObjectNode definitions = JSON.createObjectNode();

  private SettingsSchema(List<DocumentedSetting> settings) {
    this.settings = settings;
  }

  /** The schema of a file with these settings. */
  public static String of(String title, List<DocumentedSetting> settings) {
    return new SettingsSchema(settings).write(title);
  }

  private String write(String title) {
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", title);
    object(schema, "");
    for (DocumentedSetting setting : settings) {
      definitions.set(definition(setting.key()), value(setting));
    }
    schema.set(DEFINITIONS, definitions);
    return schema.toPrettyString() + "\n";
  }

  /** Writes the properties below a beginning of keys, which is empty or ends with a dot. */
  private void object(ObjectNode object, String beginning) {
    object.put("type", "object");
    object.put("additionalProperties", false);
    for (DocumentedSetting setting : settings) {
      if (setting.key().startsWith(beginning)) {
        for (String spelling : spellings(setting.key().substring(beginning.length()))) {
          property(object, beginning, spelling, setting.key());
        }
      }
    }
  }

  /** The first word of a key, the first two, and so on. */
  private static List<String> spellings(String key) {
    List<String> spellings = new ArrayList<>();
    for (int dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
      spellings.add(key.substring(0, dot));
    }
    spellings.add(key);
    return spellings;
  }

  private void property(ObjectNode object, String beginning, String spelling, String key) {
    String whole = beginning + spelling;
    if (!whole.equals(key) && !definitions.has(definition(whole))) {
      ObjectNode below = definitions.putObject(definition(whole));
      object(below, whole + ".");
      if (SettingSources.isFirstWord(whole)) {
        below.putArray("type").add("object").add("string");
      }
    }
    boolean isPattern = spelling.contains("<name>") || spelling.endsWith("*");
    object
        .withObjectProperty(isPattern ? "patternProperties" : "properties")
        .putObject(isPattern ? "^" + pattern(spelling) + "$" : spelling)
        .put("$ref", "#/" + DEFINITIONS + "/" + definition(whole));
  }

  private static String pattern(String spelling) {
    return Pattern.compile("\\.")
        .splitAsStream(spelling)
        .map(word ->
            switch (word) {
              case "<name>" -> SettingsReader.NAME_PATTERN;
              case "*" -> ".+";
              default -> word;
            })
        .collect(Collectors.joining("\\."));
  }

  /** The name of a definition, free of characters that a reference must escape. */
  private static String definition(String key) {
    return key.replace("<name>", "NAME").replace("*", "ANY");
  }

  private static ObjectNode value(DocumentedSetting setting) {
    ObjectNode value = type(setting.format());
    if (setting.declared().isLibrary()) {
      value.withArrayProperty("type").add("object");
      value
          .putObject("additionalProperties")
          .put("$ref", "#/" + DEFINITIONS + "/" + definition(setting.key()));
    }
    setting.declared().min().ifPresent(min -> value.put("minimum", min));
    setting.declared().max().ifPresent(max -> value.put("maximum", max));
    if (!setting.fallback().isEmpty()) {
      switch (setting.format().name()) {
        case "number" -> value.put("default", Long.parseLong(setting.fallback()));
        case "true or false" -> value.put("default", setting.fallback().equals("true"));
        default -> value.put("default", setting.fallback());
      }
    }
    return value.put(
        "description",
        setting.bounds().isEmpty()
            ? setting.declared().description()
            : setting.declared().description() + " Allowed: " + setting.bounds() + ".");
  }

  private static ObjectNode type(ValueFormat<?> format) {
    ObjectNode type = JSON.createObjectNode();
    if (format instanceof ListFormat<?> list) {
      type.putArray("type").add("array").add("string").add("number");
      type.set("items", type(list.element()));
      return type;
    }
    if (format instanceof WordFormat words) {
      words.words().forEach(type.withArrayProperty("enum")::add);
      return type;
    }
    switch (format.name()) {
      case "number" -> type.put("type", "integer");
      case "true or false" -> type.put("type", "boolean");
      case "size" -> type.putArray("type").add("integer").add("string");
      default -> type.putArray("type").add("string");
    }
    boolean isAnything = format.pattern().isEmpty();
    if (type.get("type") instanceof ArrayNode types) {
      if (!isAnything) {
        type.put("pattern", "^(" + format.pattern() + ")$");
      }
      if (types.size() == 1 && (isAnything || "1".matches(format.pattern()))) {
        types.add("number");
      }
      if (isAnything) {
        types.add("boolean");
      }
    }
    return type;
  }
}
