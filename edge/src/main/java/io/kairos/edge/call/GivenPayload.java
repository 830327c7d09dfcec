package io.kairos.edge.call;

import static io.kairos.edge.refusal.InvalidField.require;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.io.IOException;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A payload that may be given as bytes, as text or as JSON: a message with the fields {@code text}
 * and {@code json} beside {@code payload}, {@code body} or {@code value}. The engine has bytes
 * alone.
 */
public final class GivenPayload {
  public static final String TEXT = "text";
  public static final String JSON = "json";
  private static final List<String> NAMES = List.of("payload", "body", "value");

  /** Apart, because a process without doors has no Jackson, and nobody gives it JSON. */
  private static final class Json {
    static final JsonFactory PARSERS = new JsonFactory();
  }

  private GivenPayload() {}

  /** The field with the bytes; null for a message that has no such payload. */
  public static @Nullable FieldDescriptor bytesOf(Descriptor message) {
    if (message.findFieldByName(TEXT) == null || message.findFieldByName(JSON) == null) {
      return null;
    }
    for (String name : NAMES) {
      FieldDescriptor bytes = message.findFieldByName(name);
      if (bytes != null) {
        return bytes;
      }
    }
    return null;
  }

  /**
   * The message with its payload as bytes alone. It may have several forms of one payload: who
   * changes what was read sends all of them back.
   *
   * @param prefix goes before the names of its fields in a refusal
   * @param type the class of the message
   * @throws io.kairos.edge.refusal.InvalidField when the forms differ, or JSON is none
   */
  public static <M extends Message> M inBytes(String prefix, Class<M> type, M given) {
    Descriptor descriptor = given.getDescriptorForType();
    FieldDescriptor text = descriptor.findFieldByName(TEXT);
    FieldDescriptor json = descriptor.findFieldByName(JSON);
    if (!given.hasField(text) && !given.hasField(json)) {
      return given;
    }
    FieldDescriptor bytes = requireNonNull(bytesOf(descriptor));
    ByteString payload = (ByteString) given.getField(bytes);
    String name = bytes.getName();
    if (given.hasField(text)) {
      ByteString written = ByteString.copyFromUtf8((String) given.getField(text));
      require(
          payload.isEmpty() || payload.equals(written),
          prefix + TEXT,
          "differs from " + name + ": give one of them");
      payload = written;
      name = TEXT;
    }
    if (given.hasField(json)) {
      String written = (String) given.getField(json);
      require(isJson(written), prefix + JSON, "must be the text of a JSON value");
      require(
          payload.isEmpty() || isEqual(payload.toStringUtf8(), written),
          prefix + JSON,
          "differs from " + name + ": give one of them");
      payload = payload.isEmpty() ? ByteString.copyFromUtf8(written) : payload;
    }
    return type.cast(
        given.toBuilder().clearField(text).clearField(json).setField(bytes, payload).build());
  }

  /**
   * The size of the largest form in bytes, or less: one byte for each character. It is cheap, so
   * that what is too large is refused before its forms are compared.
   */
  public static int leastSize(Message given) {
    Descriptor descriptor = given.getDescriptorForType();
    String text = (String) given.getField(descriptor.findFieldByName(TEXT));
    String json = (String) given.getField(descriptor.findFieldByName(JSON));
    ByteString bytes = (ByteString) given.getField(requireNonNull(bytesOf(descriptor)));
    return Math.max(bytes.size(), Math.max(text.length(), json.length()));
  }

  /**
   * True for texts of one JSON value that differ in white space alone, because a client that sends
   * back what it read writes the value anew. Token by token: trees of large payloads would need
   * many times their size.
   */
  private static boolean isEqual(String text, String json) {
    if (text.equals(json)) {
      return true;
    }
    try (JsonParser one = Json.PARSERS.createParser(text);
        JsonParser other = Json.PARSERS.createParser(json)) {
      for (int depth = 0; ; ) {
        JsonToken token = one.nextToken();
        if (token == null || token != other.nextToken() || !one.getText().equals(other.getText())) {
          return false;
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (depth == 0) {
          return one.nextToken() == null;
        }
      }
    } catch (IOException _) {
      return false;
    }
  }

  /** True for text that is one JSON value. */
  public static boolean isJson(String text) {
    try (JsonParser json = Json.PARSERS.createParser(text)) {
      if (json.nextToken() == null) {
        return false;
      }
      json.skipChildren();
      return json.nextToken() == null;
    } catch (IOException _) {
      return false;
    }
  }

  /** The text of a payload that is UTF-8 that people can read; null for any other. */
  public static @Nullable String text(ByteString payload) {
    if (payload.isEmpty()) {
      return null;
    }
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(payload.asReadOnlyByteBuffer());
      return text.chars().allMatch(GivenPayload::isReadable) ? text.toString() : null;
    } catch (CharacterCodingException _) {
      return null;
    }
  }

  private static boolean isReadable(int character) {
    return !Character.isISOControl(character)
        || character == '\n'
        || character == '\r'
        || character == '\t';
  }
}
