package io.kairos.client.jackson3;

import io.kairos.client.handler.HandlerSignals;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.PayloadFormatException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Payloads and results as JSON, by Jackson 3: {@code JacksonCodec.of(Resize.class)}. Bytes that are
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

  /** Returns a codec with Jackson's own settings. */
  public static <T> JacksonCodec<T> of(Class<T> type) {
    return of(JsonMapper.shared(), type);
  }

  /** Returns a codec with the application's mapper. */
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
    } catch (JacksonException e) {
      throw refused("cannot be written as JSON", e);
    }
  }

  @Override
  public T decode(byte[] bytes) {
    T payload;
    try {
      payload = reader.readValue(bytes);
    } catch (JacksonException e) {
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

  private PayloadFormatException refused(String how, JacksonException thrown) {
    StringBuilder text = new StringBuilder(type.toCanonical()).append(' ').append(how).append(": ");
    if (thrown instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
      text.append("expected ").append(mismatch.getTargetType().getTypeName()).append(' ');
    }
    text.append("at ").append(path(thrown)).append(' ');
    TokenStreamLocation place = thrown.getLocation();
    if (place != null && place.getLineNr() > 0) {
      text.append("in line ")
          .append(place.getLineNr())
          .append(", column ")
          .append(place.getColumnNr())
          .append(' ');
    }
    Throwable cause = thrown.getCause();
    String errorClass =
        (cause == null || cause instanceof JacksonException ? thrown : cause).getClass().getName();
    return new PayloadFormatException(
        text.append('(').append(errorClass).append(')').toString(),
        errorClass,
        // of the class, whatever the payload is
        thrown instanceof InvalidDefinitionException);
  }

  /** Such as {@code $.lines[2].quantity}. */
  private static String path(JacksonException thrown) {
    StringBuilder path = new StringBuilder("$");
    for (JacksonException.Reference step : thrown.getPath()) {
      if (step.getPropertyName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append('.').append(step.getPropertyName());
      }
    }
    return path.toString();
  }
}
