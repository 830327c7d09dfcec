package io.kairos.edge.rest;

import static io.kairos.edge.refusal.InvalidField.require;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.FieldMaskUtil;
import com.google.protobuf.util.Timestamps;
import io.kairos.api.text.MessageReader;
import io.kairos.api.text.TextValue;
import io.kairos.edge.access.RequestSizes;
import io.kairos.edge.refusal.InvalidField;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.text.ParseException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads and writes messages as JSON, by the rules of proto3 but strictly: see {@link
 * MessageReader}. Supports the types that Kairos' protos use.
 */
final class JsonMessage {
  private static final int LONGEST_TEXT = 64 << 20;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(LONGEST_TEXT)
                  .maxTokenCount(RequestSizes.MOST_ELEMENTS)
                  .build())
          .build();

  private static final Map<Descriptor, String> RULES =
      Map.of(
          Timestamp.getDescriptor(),
              "must be a time from year 0001 to 9999 such as 2030-01-31T12:00:00Z",
          Duration.getDescriptor(), "must be a duration in seconds such as 1.5s",
          FieldMask.getDescriptor(),
              "must be names of fields separated by commas such as maxRunning,burst");

  private static final MessageReader READER = new Reader(path -> {});

  private JsonMessage() {}

  /** True for a message that is written as one text, such as a time. */
  static boolean isScalar(Descriptor message) {
    return RULES.containsKey(message);
  }

  /** Writes a message with its default values, so that every answer has all members. */
  static String print(Message message) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      new JsonAnswer(json).write(message);
    } catch (IOException e) {
      throw new IllegalStateException("a message could not be printed", e);
    }
    return text.toString();
  }

  /**
   * Reads a body that is a whole request; an empty body is a message without fields.
   *
   * @return the fields that the body has set
   */
  static Set<FieldDescriptor> read(InputStream body, Message.Builder into) {
    return read(READER, body, into, "");
  }

  /**
   * Reads a body that is one message of a request.
   *
   * @param path of the message in the request
   * @param given gets the path of each field that the body gives a value or null
   */
  static void read(InputStream body, Message.Builder into, String path, Consumer<String> given) {
    var _ = read(new Reader(given), body, into, path);
  }

  private static Set<FieldDescriptor> read(
      MessageReader reader, InputStream body, Message.Builder into, String path) {
    try (JsonParser json = JSON.createParser(body)) {
      Set<FieldDescriptor> given = new HashSet<>();
      if (json.nextToken() != null) {
        given.addAll(reader.read(new JsonValue(json), into, path));
        require(json.nextToken() == null, "body", "must end with its JSON object");
      }
      return given;
    } catch (JsonProcessingException e) {
      throw new InvalidField("body", "must be JSON: " + e.getOriginalMessage());
    } catch (CharConversionException _) { // it begins like UTF-32, and is not
      throw new InvalidField("body", "must be JSON in UTF-8");
    } catch (IOException e) {
      throw new IllegalStateException("a body is in memory", e);
    }
  }

  /**
   * Sets a field from a query, by its proto or JSON name. Fields of nested messages are refused
   * there.
   *
   * @param given the fields that have been set so far; this field is added
   */
  static void set(Message.Builder into, String name, String text, Set<FieldDescriptor> given) {
    TextValue value = new PlainText(text);
    FieldDescriptor field = READER.field(name, value, into, "");
    require(!READER.isObject(field), name, "cannot be given in a path or a query");
    Object read = scalar(field, field.getName(), text);
    if (field.isRepeated()) {
      into.addRepeatedField(field, read);
    } else {
      require(given.add(field), field.getName(), "is given twice");
      into.setField(field, read);
    }
  }

  /** Reads the value of a field in a path or a query. */
  static Object scalar(FieldDescriptor field, String path, String text) {
    try {
      return READER.scalar(field, new PlainText(text), path);
    } catch (IOException e) {
      throw new IllegalStateException("a parameter is in memory", e);
    }
  }

  /** Reads values in proto3's JSON forms; errors use the field names of the protos. */
  private static final class Reader extends MessageReader {
    private final Consumer<String> given;

    private Reader(Consumer<String> given) {
      super(RULES);
      this.given = given;
    }

    @Override
    protected void given(String path) {
      given.accept(path);
    }

    @Override
    protected String nameOf(FieldDescriptor field, String written) {
      return field.getName();
    }

    @Override
    protected Message message(Descriptor type, String text) {
      try {
        if (!isAscii(text)) {
          throw new IllegalArgumentException(text);
        }
        return type.equals(Timestamp.getDescriptor())
            ? timestamp(text)
            : type.equals(Duration.getDescriptor())
                ? Durations.parse(text)
                : FieldMaskUtil.fromJsonString(text);
      } catch (ParseException | DateTimeException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }

  /** Protobuf's own parser takes the 30th of February for the 2nd of March. */
  private static Timestamp timestamp(String text) throws ParseException {
    Timestamp read = Timestamps.parse(text);
    var _ = LocalDate.parse(text.substring(0, text.indexOf('T')));
    return read;
  }

  /** The value at a parser's position. */
  private record JsonValue(JsonParser json) implements TextValue {
    @Override
    public Kind kind() {
      return switch (json.currentToken()) {
        case START_OBJECT -> Kind.OBJECT;
        case START_ARRAY -> Kind.LIST;
        case VALUE_NULL -> Kind.NULL;
        default -> Kind.SCALAR;
      };
    }

    @Override
    public String text() throws IOException {
      return json.getText();
    }

    /** The numbers are as they were written: a double could not hold them all. */
    @Override
    public String asJson() throws IOException {
      StringWriter text = new StringWriter();
      try (JsonGenerator copy = JSON.createGenerator(text)) {
        for (int depth = 0; ; json.nextToken()) {
          JsonToken token = json.currentToken();
          if (token.isNumeric()) {
            copy.writeNumber(json.getText());
          } else {
            copy.copyCurrentEvent(json);
          }
          depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
          if (depth == 0) {
            break;
          }
        }
      }
      return text.toString();
    }

    @Override
    public boolean mayBe(FieldDescriptor.JavaType type) {
      JsonToken token = json.currentToken();
      return switch (type) {
        case INT, LONG, FLOAT, DOUBLE -> token.isNumeric() || token == JsonToken.VALUE_STRING;
        case BOOLEAN -> token.isBoolean();
        case STRING, BYTE_STRING, ENUM, MESSAGE -> token == JsonToken.VALUE_STRING;
      };
    }

    @Override
    public void fields(Fields each) throws IOException {
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String name = json.currentName();
        json.nextToken();
        each.field(name, this);
      }
    }

    @Override
    public void items(Items each) throws IOException {
      while (json.nextToken() != JsonToken.END_ARRAY) {
        each.item(this);
      }
    }

    @Override
    public RuntimeException refused(String path, String rule) {
      return new InvalidField(path.isEmpty() ? "body" : path, rule);
    }
  }

  /** A value of a path or a query, where every value is text. */
  private record PlainText(String text) implements TextValue {
    @Override
    public RuntimeException refused(String path, String rule) {
      return new InvalidField(path, rule);
    }
  }
}
