package io.kairos.client;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Turns a payload into bytes and back; the choice of the application, Kairos never looks inside.
 * Must be thread-safe. What {@link #decode} throws is a failed attempt, to be tried again: another
 * worker may be newer.
 */
public interface PayloadCodec<T> {
  byte[] encode(T payload);

  T decode(byte[] bytes);

  /** As they are. */
  static PayloadCodec<byte[]> bytes() {
    return of(Function.identity(), Function.identity());
  }

  /** Text in UTF-8; bytes that are no UTF-8 are refused. */
  static PayloadCodec<String> utf8() {
    return of(text -> text.getBytes(StandardCharsets.UTF_8), PayloadCodec::text);
  }

  /** For example {@code PayloadCodec.of(json::writeValueAsBytes, bytes -> json.readValue(…))}. */
  static <T> PayloadCodec<T> of(Function<T, byte[]> encode, Function<byte[], T> decode) {
    return new PayloadCodec<>() {
      @Override
      public byte[] encode(T payload) {
        return encode.apply(payload);
      }

      @Override
      public T decode(byte[] bytes) {
        return decode.apply(bytes);
      }
    };
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("the payload is no UTF-8 text", e);
    }
  }
}
