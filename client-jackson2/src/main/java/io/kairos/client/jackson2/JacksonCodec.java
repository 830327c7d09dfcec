package io.kairos.client.jackson2;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kairos.client.handler.HandlerSignals;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.PayloadFormatException;
import java.io.IOException;

/**
 * Payloads and results as JSON, by Jackson 2: {@code JacksonCodec.of(Resize.class)}. Bytes that are
 * no JSON of the type, JSON {@code null} among them, are refused by a {@link
 * PayloadFormatException} that names the type, the path in it, line and column, and no value. A
 * class that the mapper cannot read whatever the payload is, because a module is missing, is a
 * {@link RetryLater}: another worker may have it. What constructors throw to say how an attempt
 * ends, and errors of the JVM, come out as they are. Thread-safe.
 *
 * @param <T> the payload or the result
 */
public final class JacksonCodec<T> implements PayloadCodec<T> {
  private final JavaType type;
  private final ObjectReader reader;
  private final ObjectWriter writer;

  private JacksonCodec(ObjectMapper mapper, JavaType type) {
    this.type = type;
    reader = mapper.readerFor(type).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    writer = mapper.writerFor(type);
  }

  /** The mapper of those who give none, made when it is needed. */
  private static final class Shared {
    static final ObjectMapper MAPPER = JsonMapper.builder().findAndAddModules().build();
  }

  /** Returns a codec with Jackson's own settings and the modules on the class path. */
  public static <T> JacksonCodec<T> of(Class<T> type) {
    return of(Shared.MAPPER, type);
  }

  /** Returns a codec with the application's mapper, which must not be reconfigured later. */
  public static <T> JacksonCodec<T> of(ObjectMapper mapper, Class<T> type) {
    return new JacksonCodec<>(mapper, mapper.constructType(type));
  }

  /** Returns a codec for a generic type: {@code new TypeReference<List<Order>>() {}}. */
  public static <T> JacksonCodec<T> of(ObjectMapper mapper, TypeReference<T> type) {
    return new JacksonCodec<>(mapper, mapper.constructType(type));
  }

  @Override
  public byte[] encode(T payload) {
    try {
      return writer.writeValueAsBytes(payload);
    } catch (JsonProcessingException e) {
      throw refused("cannot be written as JSON", e);
    }
  }

  @Override
  public T decode(byte[] bytes) {
    T payload;
    try {
      payload = reader.readValue(bytes);
    } catch (IOException e) {
      HandlerSignals.rethrow(e);
      throw refused("cannot be read from JSON", e);
    }
    if (payload == null) {
      throw new PayloadFormatException(
          type.toCanonical() + " cannot be read from JSON: null",
          NullPointerException.class.getName());
    }
    return payload;
  }

  @Override
  public String contentType() {
    return "application/json";
  }

  private PayloadFormatException refused(String how, IOException thrown) {
    StringBuilder text = new StringBuilder(type.toCanonical()).append(' ').append(how).append(": ");
    if (thrown instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
      text.append("expected ").append(mismatch.getTargetType().getTypeName()).append(' ');
    }
    if (thrown instanceof JsonMappingException mapping) {
      text.append("at ").append(path(mapping)).append(' ');
    }
    if (thrown instanceof JsonProcessingException processing) {
      JsonLocation place = processing.getLocation();
      if (place != null && place.getLineNr() > 0) {
        text.append("in line ")
            .append(place.getLineNr())
            .append(", column ")
            .append(place.getColumnNr())
            .append(' ');
      }
    }
    Throwable cause = thrown.getCause();
    String errorClass =
        (cause == null || cause instanceof IOException ? thrown : cause).getClass().getName();
    return new PayloadFormatException(
        text.append('(').append(errorClass).append(')').toString(),
        errorClass,
        // of the class, whatever the payload is
        thrown instanceof InvalidDefinitionException);
  }

  /** Such as {@code $.lines[2].quantity}. */
  private static String path(JsonMappingException thrown) {
    StringBuilder path = new StringBuilder("$");
    for (JsonMappingException.Reference step : thrown.getPath()) {
      if (step.getFieldName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append('.').append(step.getFieldName());
      }
    }
    return path.toString();
  }
}
