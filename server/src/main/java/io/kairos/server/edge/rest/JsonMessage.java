package io.kairos.server.edge.rest;

import static io.kairos.server.edge.refusal.InvalidField.require;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.FieldMask;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.JsonFormat;
import io.kairos.server.edge.refusal.InvalidField;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;

/**
 * Messages as JSON, by the rules of proto3 but strict: what is not a field, is given twice or is
 * not of its field's type is refused by its path. Knows the types that our protos have.
 */
final class JsonMessage {
  private static final int LONGEST_TEXT = 64 << 20;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(LONGEST_TEXT).build())
          .build();

  /** Also what is false, zero or empty: an answer looks the same whatever is in it. */
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().includingDefaultValueFields().omittingInsignificantWhitespace();

  private JsonMessage() {}

  static String print(Message message) {
    try {
      return PRINTER.print(message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("our messages can be printed", e);
    }
  }

  /**
   * Reads a whole body; an empty one is a message without fields.
   *
   * @return the fields that it gave
   */
  static Set<FieldDescriptor> read(InputStream body, Message.Builder into) {
    try (JsonParser json = JSON.createParser(body)) {
      Set<FieldDescriptor> given = new HashSet<>();
      if (json.nextToken() != null) {
        given.addAll(object(json, into, ""));
        require(json.nextToken() == null, "body", "must end with its JSON object");
      }
      return given;
    } catch (JsonProcessingException e) {
      throw new InvalidField("body", "must be JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new IllegalStateException("a body is in memory", e);
    }
  }

  private static Set<FieldDescriptor> object(JsonParser json, Message.Builder into, String path)
      throws IOException {
    require(
        json.currentToken() == JsonToken.START_OBJECT,
        path.isEmpty() ? "body" : path.substring(0, path.length() - 1),
        "must be a JSON object");
    Set<FieldDescriptor> given = new HashSet<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      FieldDescriptor field = field(into, json.currentName(), path);
      String name = path + field.getName();
      require(given.add(field), name, "is given twice");
      if (json.nextToken() == JsonToken.VALUE_NULL) {
        continue;
      }
      require(
          field.getRealContainingOneof() == null || !into.hasOneof(field.getRealContainingOneof()),
          name,
          "is given together with another of its kind");
      if (field.isRepeated()) {
        list(json, into, field, name);
      } else {
        into.setField(field, value(json, into, field, name));
      }
    }
    return given;
  }

  /** By the name in the proto or that of JSON. */
  private static FieldDescriptor field(Message.Builder into, String name, String path) {
    for (FieldDescriptor field : into.getDescriptorForType().getFields()) {
      if (field.getJsonName().equals(name) || field.getName().equals(name)) {
        return field;
      }
    }
    throw unknown(into, path + name);
  }

  private static InvalidField unknown(Message.Builder into, String path) {
    return new InvalidField(path, "is not a field of " + into.getDescriptorForType().getName());
  }

  private static void list(
      JsonParser json, Message.Builder into, FieldDescriptor field, String name)
      throws IOException {
    require(json.currentToken() == JsonToken.START_ARRAY, name, "must be a JSON array");
    for (int i = 0; json.nextToken() != JsonToken.END_ARRAY; i++) {
      into.addRepeatedField(field, value(json, into, field, name + "[" + i + "]"));
    }
  }

  private static Object value(
      JsonParser json, Message.Builder into, FieldDescriptor field, String path)
      throws IOException {
    if (isObject(field)) {
      Message.Builder inner = into.newBuilderForField(field);
      object(json, inner, path + ".");
      return inner.build();
    }
    JsonToken token = json.currentToken();
    boolean fits =
        switch (field.getJavaType()) {
          case INT, LONG, FLOAT, DOUBLE -> token.isNumeric() || token == JsonToken.VALUE_STRING;
          case BOOLEAN -> token.isBoolean();
          case STRING, BYTE_STRING, ENUM, MESSAGE -> token == JsonToken.VALUE_STRING;
        };
    require(fits, path, TextValue.rule(field));
    return TextValue.read(field, json.getText(), path);
  }

  private static boolean isObject(FieldDescriptor field) {
    return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        && !field.getMessageType().equals(Timestamp.getDescriptor())
        && !field.getMessageType().equals(Duration.getDescriptor())
        && !field.getMessageType().equals(FieldMask.getDescriptor());
  }

  /**
   * Sets a field from a path or a query, by either name; those of inner messages have no place
   * there.
   *
   * @param given the fields that have been set so far
   */
  static void set(Message.Builder into, String name, String text, Set<FieldDescriptor> given) {
    FieldDescriptor field = field(into, name, "");
    if (isObject(field)) {
      throw unknown(into, name);
    }
    Object value = TextValue.read(field, text, field.getName());
    if (field.isRepeated()) {
      into.addRepeatedField(field, value);
    } else {
      require(given.add(field), field.getName(), "is given twice");
      into.setField(field, value);
    }
  }
}
