package io.kairos.client.task;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Encodes payloads and results as bytes and decodes them. The application chooses the format;
 * Kairos does not read payloads. Must be thread-safe.
 *
 * <p>With {@linkplain io.kairos.client.net.ConnectionBuilder#encryption encryption} the codec comes
 * first where something is sent: what it has encoded is encrypted. Where something is read, it is
 * decrypted first, and then decoded.
 *
 * <p>When {@link #decode} throws, the task of a worker fails for good, with the exception as the
 * reason: a {@link PayloadFormatException} names the type and the place. A codec that waits for a
 * newer worker throws {@code RetryLater} instead.
 */
public interface PayloadCodec<T> {
  /** Returns bytes that nobody changes any more, or throws when it cannot write the value. */
  byte[] encode(T payload);

  /** Returns the value of bytes, which it does not change, or throws when they are none. */
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
    return of(byte[]::clone, Function.identity());
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
