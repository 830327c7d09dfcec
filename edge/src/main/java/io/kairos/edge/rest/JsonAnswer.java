package io.kairos.edge.rest;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.FieldMaskUtil;
import com.google.protobuf.util.Timestamps;
import io.kairos.api.v1.RestProto;
import io.kairos.edge.call.GivenPayload;
import java.io.IOException;
import java.util.Base64;
import java.util.List;

/**
 * Writes messages as JSON by the rules of proto3, with their default values. Protobuf's own printer
 * is not used, because a payload is here also as text and as JSON.
 */
final class JsonAnswer {
  /**
   * Payloads beyond that are bytes alone: what an answer takes in memory must not be a multiple.
   */
  private static final int MOST_READABLE = 1 << 20;

  private final JsonGenerator json;
  private int readableLeft = MOST_READABLE;

  JsonAnswer(JsonGenerator json) {
    this.json = json;
  }

  void write(Message message) throws IOException {
    json.writeStartObject();
    Descriptor type = message.getDescriptorForType();
    for (FieldDescriptor field : type.getFields()) {
      if (field.isRepeated()) {
        json.writeArrayFieldStart(field.getJsonName());
        for (Object item : (List<?>) message.getField(field)) {
          value(field, item);
        }
        json.writeEndArray();
      } else if (!field.hasPresence() || message.hasField(field)) {
        json.writeFieldName(field.getJsonName());
        value(field, message.getField(field));
      }
    }
    FieldDescriptor bytes = GivenPayload.bytesOf(type);
    if (bytes != null) {
      readable((ByteString) message.getField(bytes));
    }
    json.writeEndObject();
  }

  /** The payload in the forms in which people read it. */
  private void readable(ByteString payload) throws IOException {
    if (payload.size() > readableLeft) {
      return;
    }
    readableLeft -= payload.size();
    String text = GivenPayload.text(payload);
    if (text != null) {
      json.writeStringField(GivenPayload.TEXT, text);
      if (GivenPayload.isJson(text)) {
        json.writeFieldName(GivenPayload.JSON);
        json.writeRawValue(text);
      }
    }
  }

  private void value(FieldDescriptor field, Object value) throws IOException {
    switch (field.getJavaType()) {
      case INT -> json.writeNumber((Integer) value);
      case LONG -> json.writeString(number(field, (Long) value));
      case FLOAT, DOUBLE -> number(((Number) value).doubleValue());
      case BOOLEAN -> json.writeBoolean((Boolean) value);
      case STRING -> text(field, (String) value);
      case BYTE_STRING ->
          json.writeString(Base64.getEncoder().encodeToString(((ByteString) value).toByteArray()));
      case ENUM -> word((EnumValueDescriptor) value);
      case MESSAGE -> message((Message) value);
    }
  }

  private static String number(FieldDescriptor field, long value) {
    return switch (field.getType()) {
      case UINT64, FIXED64 -> Long.toUnsignedString(value);
      default -> Long.toString(value);
    };
  }

  private void number(double value) throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumber(value);
    } else {
      json.writeString(Double.toString(value));
    }
  }

  private void text(FieldDescriptor field, String value) throws IOException {
    if (field.getOptions().getExtension(RestProto.jsonValue)) {
      json.writeRawValue(value);
    } else {
      json.writeString(value);
    }
  }

  private void word(EnumValueDescriptor value) throws IOException {
    if (value.getIndex() < 0) {
      json.writeNumber(value.getNumber()); // of a later version
    } else {
      json.writeString(value.getName());
    }
  }

  private void message(Message value) throws IOException {
    switch (value) {
      case Timestamp time -> json.writeString(Timestamps.toString(time));
      case Duration length -> json.writeString(Durations.toString(length));
      case FieldMask mask -> json.writeString(FieldMaskUtil.toJsonString(mask));
      default -> write(value);
    }
  }
}
