package io.kairos.api.text;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import io.kairos.api.v1.RestProto;
import java.io.IOException;
import java.util.Base64;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads API messages from text, one subclass per syntax. Fields may have their JSON names or their
 * proto names, and enum words may be in lower case. Unknown fields, duplicate fields and values of
 * the wrong type are refused with their path. Stateless; recursion is as deep as the messages are.
 */
public abstract class MessageReader {
  private final Map<Descriptor, String> rules;

  /**
   * Creates a reader for one syntax.
   *
   * @param rules error texts, to follow the path, by types of messages that are written as one
   *     scalar, such as a time
   */
  protected MessageReader(Map<Descriptor, String> rules) {
    this.rules = rules;
  }

  /** Returns the name of a field in paths. */
  protected abstract String nameOf(FieldDescriptor field, String written);

  /**
   * Reads a message that is written as one scalar.
   *
   * @throws IllegalArgumentException when the text breaks the rule
   */
  protected abstract Message message(Descriptor type, String text);

  /**
   * Sets the fields that the text gives.
   *
   * @param path path of the message in the whole text; empty for the whole
   * @return the fields that were given
   */
  public final Set<FieldDescriptor> read(TextValue text, Message.Builder into, String path)
      throws IOException {
    if (text.kind() != TextValue.Kind.OBJECT) {
      throw text.refused(path, "must be an object with the fields of " + typeOf(into));
    }
    Set<FieldDescriptor> given = new HashSet<>();
    text.fields((name, value) -> {
      FieldDescriptor field = field(name, value, into, path);
      String at = join(path, nameOf(field, name));
      if (!given.add(field)) {
        throw value.refused(at, "is given twice");
      }
      set(field, value, into, at);
    });
    return given;
  }

  /**
   * Returns the field with a JSON name or proto name.
   *
   * @param value refuses the name when there is no such field
   */
  public final FieldDescriptor field(
      String name, TextValue value, Message.Builder into, String path) {
    for (FieldDescriptor field : into.getDescriptorForType().getFields()) {
      if (field.getJsonName().equals(name) || field.getName().equals(name)) {
        return field;
      }
    }
    throw value.refused(join(path, name), unknown(into));
  }

  private static String unknown(Message.Builder into) {
    return into.getDescriptorForType().getFields().stream()
        .map(FieldDescriptor::getJsonName)
        .collect(
            Collectors.joining(", ", "is not a field of " + typeOf(into) + ", which has ", ""));
  }

  /**
   * Called for each field that the text gives a value or null, except for messages with fields of
   * their own, which are called for instead. Does nothing by default.
   *
   * @param path path of the field in the whole text
   */
  protected void given(String path) {}

  private void set(FieldDescriptor field, TextValue value, Message.Builder into, String path)
      throws IOException {
    if (value.kind() == TextValue.Kind.NULL) {
      given(path);
      return;
    }
    if (field.getRealContainingOneof() != null && into.hasOneof(field.getRealContainingOneof())) {
      throw value.refused(path, "is given together with another of its kind");
    }
    if (!field.isRepeated()) {
      into.setField(field, value(field, value, into, path));
      return;
    }
    if (value.kind() != TextValue.Kind.LIST) {
      throw value.refused(path, "must be a list");
    }
    given(path);
    value.items(item -> {
      String at = path + "[" + into.getRepeatedFieldCount(field) + "]";
      into.addRepeatedField(field, value(field, item, into, at));
    });
  }

  private Object value(FieldDescriptor field, TextValue value, Message.Builder into, String path)
      throws IOException {
    if (isObject(field)) {
      Message.Builder inner = into.newBuilderForField(field);
      if (read(value, inner, path).isEmpty()) {
        given(path);
      }
      return inner.build();
    }
    given(path);
    if (field.getOptions().getExtension(RestProto.jsonValue)) {
      @Nullable String json = value.asJson();
      if (json != null) {
        return json;
      }
    }
    return scalar(field, value, path);
  }

  /** True when a field is a message whose fields are given one by one. */
  public final boolean isObject(FieldDescriptor field) {
    return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        && !rules.containsKey(field.getMessageType());
  }

  /** Reads a scalar value of a field, or one item of its list. */
  public final Object scalar(FieldDescriptor field, TextValue value, String path)
      throws IOException {
    if (value.kind() == TextValue.Kind.SCALAR && value.mayBe(field.getJavaType())) {
      @Nullable Object read = scalar(field, value.text());
      if (read != null) {
        return read;
      }
    }
    throw value.refused(path, rule(field));
  }

  /** Parses a scalar; null when the text breaks the field's rule. */
  private @Nullable Object scalar(FieldDescriptor field, String text) {
    boolean isNumber =
        switch (field.getJavaType()) {
          case INT, LONG, FLOAT, DOUBLE -> true;
          default -> false;
        };
    if (isNumber && !isAscii(text)) {
      return null; // Java takes the digits of every script
    }
    try {
      return switch (field.getJavaType()) {
        case INT -> Integer.valueOf(text);
        case LONG -> Long.valueOf(text);
        case FLOAT -> Float.valueOf(text);
        case DOUBLE -> Double.valueOf(text);
        case BOOLEAN -> flag(text);
        case STRING -> text;
        case BYTE_STRING -> bytes(text);
        case ENUM -> word(field, text);
        case MESSAGE -> message(field.getMessageType(), text);
      };
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** True for text in which a digit can only be 0 to 9. */
  protected static boolean isAscii(String text) {
    return text.chars().allMatch(character -> character < 0x80);
  }

  private static @Nullable Boolean flag(String text) {
    return text.equals("true") ? Boolean.TRUE : text.equals("false") ? Boolean.FALSE : null;
  }

  private String rule(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT -> "must be a whole number of 32 bits";
      case LONG -> "must be a whole number of 64 bits";
      case FLOAT, DOUBLE -> "must be a number";
      case BOOLEAN -> "must be true or false";
      case STRING -> "must be a text";
      case BYTE_STRING -> "must be a text in base64";
      case ENUM ->
          field.getEnumType().getValues().stream()
              .skip(1)
              .map(EnumValueDescriptor::getName)
              .collect(Collectors.joining(", ", "must be one of ", ""));
      case MESSAGE -> rules.getOrDefault(field.getMessageType(), "must be an object");
    };
  }

  /** Decodes base64 of both alphabets, with or without padding. */
  private static ByteString bytes(String text) {
    return UnsafeByteOperations.unsafeWrap(
        Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/')));
  }

  /** The word for none, which answers have, is taken back as none, but not as one of a list. */
  private static @Nullable EnumValueDescriptor word(FieldDescriptor field, String text) {
    EnumValueDescriptor value =
        field
            .getEnumType()
            .findValueByName(text.toUpperCase(Locale.ROOT).replace('-', '_').replace(' ', '_'));
    return value == null || (value.getNumber() == 0 && field.isRepeated()) ? null : value;
  }

  private static String typeOf(Message.Builder message) {
    return message.getDescriptorForType().getName();
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
