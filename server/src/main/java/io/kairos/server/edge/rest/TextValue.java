package io.kairos.server.edge.rest;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.FieldMaskUtil;
import com.google.protobuf.util.Timestamps;
import io.kairos.server.edge.refusal.InvalidField;
import java.text.ParseException;
import java.util.Base64;
import java.util.stream.Collectors;

/** One value of a field from its text, as proto3 writes it in JSON. */
final class TextValue {
  private TextValue() {}

  /** Throws {@link InvalidField} with the path and the rule of the field's type. */
  static Object read(FieldDescriptor field, String text, String path) {
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
        case MESSAGE -> message(field, text);
      };
    } catch (IllegalArgumentException | ParseException _) {
      throw new InvalidField(path, rule(field));
    }
  }

  /** What the text of this type must be. */
  static String rule(FieldDescriptor field) {
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
      case MESSAGE -> {
        if (isTime(field)) {
          yield "must be a time from year 0001 to 9999 such as 2030-01-31T12:00:00Z";
        }
        yield isMask(field)
            ? "must be names of fields separated by commas such as maxRunning,burst"
            : "must be a duration in seconds such as 1.5s";
      }
    };
  }

  private static Object message(FieldDescriptor field, String text) throws ParseException {
    if (isTime(field)) {
      return Timestamps.parse(text);
    }
    return isMask(field) ? FieldMaskUtil.fromJsonString(text) : Durations.parse(text);
  }

  private static boolean isMask(FieldDescriptor field) {
    return field.getMessageType().equals(FieldMask.getDescriptor());
  }

  private static boolean isTime(FieldDescriptor field) {
    return field.getMessageType().equals(Timestamp.getDescriptor());
  }

  private static Boolean flag(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException();
    }
    return text.equals("true");
  }

  /** Both alphabets, with or without padding. */
  private static ByteString bytes(String text) {
    return UnsafeByteOperations.unsafeWrap(
        Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/')));
  }

  private static EnumValueDescriptor word(FieldDescriptor field, String text) {
    EnumValueDescriptor value = field.getEnumType().findValueByName(text);
    if (value == null || value.getNumber() == 0) {
      throw new IllegalArgumentException();
    }
    return value;
  }
}
