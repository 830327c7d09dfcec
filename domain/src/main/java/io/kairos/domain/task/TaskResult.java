package io.kairos.domain.task;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The value that a successful attempt has left for whoever asks for the task: opaque bytes with a
 * content type. Immutable; whoever makes one does not change its bytes. At most {@link #MOST_BYTES}
 * bytes; a value that is larger is refused, because half a value is wrong without saying so.
 *
 * @param value empty for none
 * @param contentType a media type such as {@code application/json}; empty when none was given
 */
@SuppressWarnings("ArrayRecordComponent") // never changed, as payloads
public record TaskResult(byte[] value, String contentType) {
  /** The largest value: a quarter of a MiB. */
  public static final int MOST_BYTES = 256 << 10;

  /** The longest content type, in characters. */
  public static final int MOST_IN_A_TYPE = 200;

  /** The content type of texts. */
  public static final String TEXT = "text/plain; charset=utf-8";

  /** That of an attempt which left no value. */
  public static final TaskResult NONE = new TaskResult(new byte[0], "");

  public TaskResult {
    requireNonNull(value, "value");
    require(value.length <= MOST_BYTES, "a result has at most 262,144 bytes");
    require(isType(contentType), "a content type has at most 200 printable ASCII characters");
  }

  /** The result of a text; none for an empty one. */
  public static TaskResult text(String text) {
    return text.isEmpty() ? NONE : new TaskResult(text.getBytes(StandardCharsets.UTF_8), TEXT);
  }

  /** True for a content type that can be kept, also for an empty one. */
  public static boolean isType(String text) {
    return text.length() <= MOST_IN_A_TYPE && text.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  public boolean isNone() {
    return value.length == 0 && contentType.isEmpty();
  }

  /** The value as text; empty when it is not UTF-8. */
  public String text() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException _) {
      return "";
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TaskResult(byte[] bytes, String type)
        && Arrays.equals(value, bytes)
        && contentType.equals(type);
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
