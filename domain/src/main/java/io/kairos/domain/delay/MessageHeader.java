package io.kairos.domain.delay;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One header of a record: a name and bytes, which may be null. Opaque; order and repeats of headers
 * are kept. The array is not copied.
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes, not copied
public record MessageHeader(String name, byte @Nullable [] value) {
  /** The size of names and values. */
  public static long bytes(List<MessageHeader> headers) {
    long size = 0;
    for (MessageHeader header : headers) {
      size += header.bytes();
    }
    return size;
  }

  /** The size of name and value. */
  public long bytes() {
    return name.length() + (value == null ? 0L : value.length);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MessageHeader header
        && name.equals(header.name)
        && Arrays.equals(value, header.value);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + Arrays.hashCode(value);
  }

  /** Names the header only: values are payload and are never logged. */
  @Override
  public String toString() {
    return "Header[" + name + "]";
  }
}
