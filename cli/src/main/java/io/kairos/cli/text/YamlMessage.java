package io.kairos.cli.text;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads messages of the wire from YAML: keys as JSON calls them or as the proto does, durations
 * also as 10m, words also in lower case. Strict: what is not a field, is given twice or is not of
 * its field's type is refused by its line and path.
 */
final class YamlMessage {
  private final String file;

  YamlMessage(String file) {
    this.file = file;
  }

  /** Sets what the node has. */
  void read(Node node, Message.Builder into, String path) {
    if (!(node instanceof MappingNode mapping)) {
      throw refused(node, path, "must have the fields of a " + typeOf(into));
    }
    Set<FieldDescriptor> given = new HashSet<>();
    for (NodeTuple entry : mapping.getValue()) {
      String key = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
      String at = path.isEmpty() ? key : path + "." + key;
      FieldDescriptor field = field(into, key);
      if (field == null) {
        throw refused(
            entry.getKeyNode(),
            at,
            "is not a field of " + typeOf(into) + ", which has " + names(into));
      }
      if (!given.add(field)) {
        throw refused(entry.getKeyNode(), at, "is given twice");
      }
      if (field.getRealContainingOneof() != null && into.hasOneof(field.getRealContainingOneof())) {
        throw refused(entry.getKeyNode(), at, "is given together with another of its kind");
      }
      if (!entry.getValueNode().getTag().equals(Tag.NULL)) {
        set(entry.getValueNode(), into, field, at);
      }
    }
  }

  private void set(Node node, Message.Builder into, FieldDescriptor field, String path) {
    if (!field.isRepeated()) {
      into.setField(field, value(node, into, field, path));
      return;
    }
    if (!(node instanceof SequenceNode list)) {
      throw refused(node, path, "must be a list");
    }
    for (int i = 0; i < list.getValue().size(); i++) {
      into.addRepeatedField(
          field, value(list.getValue().get(i), into, field, path + "[" + i + "]"));
    }
  }

  private Object value(Node node, Message.Builder into, FieldDescriptor field, String path) {
    if (isObject(field)) {
      Message.Builder inner = into.newBuilderForField(field);
      read(node, inner, path);
      return inner.build();
    }
    if (!(node instanceof ScalarNode scalar)) {
      throw refused(node, path, rule(field));
    }
    try {
      return scalar(field, scalar.getValue());
    } catch (IllegalArgumentException | DateTimeException _) {
      throw refused(node, path, rule(field));
    }
  }

  private static Object scalar(FieldDescriptor field, String text) {
    return switch (field.getJavaType()) {
      case INT -> Integer.valueOf(text);
      case LONG -> Long.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case BOOLEAN -> flag(text);
      case STRING -> text;
      case BYTE_STRING -> ByteString.copyFrom(Base64.getDecoder().decode(text));
      case ENUM -> word(field, text);
      case MESSAGE ->
          field.getMessageType().equals(Timestamp.getDescriptor()) ? time(text) : length(text);
    };
  }

  private static boolean flag(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException();
    };
  }

  private static EnumValueDescriptor word(FieldDescriptor field, String text) {
    EnumValueDescriptor value =
        field
            .getEnumType()
            .findValueByName(text.toUpperCase(Locale.ROOT).replace('-', '_').replace(' ', '_'));
    if (value == null || value.getNumber() == 0) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private static Timestamp time(String text) {
    Instant time = Instant.parse(text);
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }

  private static Duration length(String text) {
    java.time.Duration length = DurationText.parse(text);
    return Duration.newBuilder().setSeconds(length.getSeconds()).setNanos(length.getNano()).build();
  }

  private static String rule(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT, LONG -> "must be a whole number";
      case FLOAT, DOUBLE -> "must be a number";
      case BOOLEAN -> "must be true or false";
      case STRING -> "must be a text";
      case BYTE_STRING -> "must be a text in base64";
      case ENUM ->
          field.getEnumType().getValues().stream()
              .skip(1)
              .map(EnumValueDescriptor::getName)
              .collect(Collectors.joining(", ", "must be one of ", ""));
      case MESSAGE ->
          field.getMessageType().equals(Timestamp.getDescriptor())
              ? "must be a time such as 2030-01-31T12:00:00Z"
              : "must be a duration such as 500ms, 90s, 10m, 1h, 7d or PT1M30S";
    };
  }

  private static boolean isObject(FieldDescriptor field) {
    return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        && !field.getMessageType().equals(Timestamp.getDescriptor())
        && !field.getMessageType().equals(Duration.getDescriptor());
  }

  /** By the name in JSON or that in the proto; null when there is none. */
  private static @Nullable FieldDescriptor field(Message.Builder into, String name) {
    for (FieldDescriptor field : into.getDescriptorForType().getFields()) {
      if (field.getJsonName().equals(name) || field.getName().equals(name)) {
        return field;
      }
    }
    return null;
  }

  private static String typeOf(Message.Builder message) {
    return message.getDescriptorForType().getName();
  }

  private static String names(Message.Builder message) {
    return message.getDescriptorForType().getFields().stream()
        .map(FieldDescriptor::getJsonName)
        .collect(Collectors.joining(", "));
  }

  private IllegalArgumentException refused(Node node, String path, String rule) {
    return refused(file, node, path, rule);
  }

  static IllegalArgumentException refused(String file, Node node, String path, String rule) {
    int line = node.getStartMark() == null ? 0 : node.getStartMark().getLine() + 1;
    return new IllegalArgumentException(
        "%s:%d: %s%s".formatted(file, line, path.isEmpty() ? "" : path + ": ", rule));
  }
}
