package io.kairos.client.task;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Encodes payloads as bytes and decodes them. The application chooses the format; Kairos does not
 * read payloads. Must be thread-safe. An exception of {@link #decode} is a failed attempt that is
 * retried, because another worker may be newer.
 */
public interface PayloadCodec<T> {
  byte[] encode(T payload);

  T decode(byte[] bytes);

  /** The media type of what is encoded; it is kept with results. */
  default String contentType() {
    return "application/octet-stream";
  }

  /** Returns this codec for another media type, such as {@code application/json}. */
  default PayloadCodec<T> withContentType(String type) {
    PayloadCodec<T> codec = this;
    return new PayloadCodec<>() {
      @Override
      public byte[] encode(T payload) {
        return codec.encode(payload);
      }

      @Override
      public T decode(byte[] bytes) {
        return codec.decode(bytes);
      }

      @Override
      public String contentType() {
        return type;
      }
    };
  }

  /** Returns a codec that leaves bytes as they are. */
  static PayloadCodec<byte[]> bytes() {
    return of(Function.identity(), Function.identity());
  }

  /** Returns a codec for text in UTF-8, which refuses bytes that are not UTF-8. */
  static PayloadCodec<String> utf8() {
    return of(text -> text.getBytes(StandardCharsets.UTF_8), PayloadCodec::text)
        .withContentType("text/plain; charset=utf-8");
  }

  /**
   * Returns a codec of two functions, for example {@code PayloadCodec.of(json::writeValueAsBytes,
   * bytes -> json.readValue(…))}.
   */
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
