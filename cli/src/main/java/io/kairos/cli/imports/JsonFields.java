package io.kairos.cli.imports;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;

/** A JSON object whose fields are read with refusals that name them. */
record JsonFields(JsonObject object) {
  static JsonFields parse(String json) {
    try {
      return of(JsonParser.parseString(json), "it");
    } catch (JsonParseException e) {
      throw new IllegalArgumentException("is no JSON", e);
    }
  }

  private static JsonFields of(JsonElement element, String name) {
    if (!element.isJsonObject()) {
      throw new IllegalArgumentException(name + " is no JSON object");
    }
    return new JsonFields(element.getAsJsonObject());
  }

  /** Returns these fields under names in small letters and without underscores. */
  JsonFields underPlainNames() {
    JsonObject plain = new JsonObject();
    object
        .asMap()
        .forEach((name, value) -> plain.add(name.replace("_", "").toLowerCase(Locale.ROOT), value));
    return new JsonFields(plain);
  }

  /** Returns true when a field is set, and neither false nor empty. */
  boolean has(String field) {
    JsonElement value = object.get(field);
    if (value == null || value.isJsonNull()) {
      return false;
    }
    return value.isJsonArray()
        ? !value.getAsJsonArray().isEmpty()
        : !value.toString().equals("false") && !value.toString().equals("\"\"");
  }

  String text(String field) {
    if (!has(field) || !object.get(field).isJsonPrimitive()) {
      throw new IllegalArgumentException("has no " + field);
    }
    return object.get(field).getAsString();
  }

  String text(String field, String otherwise) {
    return has(field) ? text(field) : otherwise;
  }

  int number(String field, int otherwise) {
    if (!has(field)) {
      return otherwise;
    }
    try {
      return Integer.parseInt(text(field));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s: %s is no whole number below 2^31".formatted(field, text(field)), e);
    }
  }

  /** Reads a time with an offset, in ISO 8601. */
  Instant time(String field) {
    return OffsetDateTime.parse(text(field)).toInstant();
  }

  JsonFields fields(String field) {
    if (!has(field)) {
      throw new IllegalArgumentException("has no " + field);
    }
    return of(object.get(field), field);
  }

  /** Returns the objects of an array; none when it is not set. */
  List<JsonFields> list(String field) {
    return has(field) && object.get(field).isJsonArray()
        ? object.getAsJsonArray(field).asList().stream().map(one -> of(one, field)).toList()
        : List.of();
  }
}
