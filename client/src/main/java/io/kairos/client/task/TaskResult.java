package io.kairos.client.task;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The value that a successful attempt has left: bytes with a content type, kept with the task until
 * its retention ends. At most {@link #MOST_BYTES} bytes, with what encryption adds. Immutable.
 */
public final class TaskResult {
  /** The largest value that nodes keep. */
  public static final int MOST_BYTES = 256 << 10;

  private final byte[] value;
  private final String contentType;

  private TaskResult(byte[] value, String contentType) {
    this.value = value;
    this.contentType = contentType;
  }

  /**
   * Returns a result of bytes.
   *
   * @param contentType a media type such as {@code application/json}, at most 200 printable ASCII
   *     characters; empty for none
   */
  public static TaskResult of(byte[] value, String contentType) {
    return taking(value.clone(), contentType);
  }

  private static TaskResult taking(byte[] value, String contentType) {
    if (contentType.length() > 200 || !contentType.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      throw new IllegalArgumentException(
          "a content type has at most 200 printable ASCII characters, and not: " + contentType);
    }
    return new TaskResult(value, contentType);
  }

  /** Returns a result in the form of a codec, with its content type. */
  public static <T> TaskResult of(PayloadCodec<T> codec, T value) {
    return taking(codec.encode(value), codec.contentType());
  }

  /** Returns a result of a text. */
  public static TaskResult text(String text) {
    return of(PayloadCodec.utf8(), text);
  }

  /** Returns a copy of the bytes. */
  public byte[] value() {
    return value.clone();
  }

  /** Returns the bytes without a copy of them. */
  public ByteBuffer buffer() {
    return ByteBuffer.wrap(value).asReadOnlyBuffer();
  }

  public int bytes() {
    return value.length;
  }

  /** The media type of the value; empty when none was given. */
  public String contentType() {
    return contentType;
  }

  /** Decodes the value. */
  public <T> T as(PayloadCodec<T> codec) {
    return codec.decode(value.clone());
  }

  /** The value as text in UTF-8, with replacement characters for bytes that are none. */
  public String text() {
    return new String(value, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TaskResult that
        && Arrays.equals(value, that.value)
        && contentType.equals(that.contentType);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(value) + contentType.hashCode();
  }

  /** Without the value, which may be secret. */
  @Override
  public String toString() {
    return "TaskResult[" + value.length + " bytes, " + contentType + "]";
  }
}
