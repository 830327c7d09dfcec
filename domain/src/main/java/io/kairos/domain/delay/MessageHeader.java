package io.kairos.domain.delay;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One header of a record: a name and bytes, which may be null. Opaque; order and repeats of headers
 * are kept. The array is not copied.
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes, not copied
public record MessageHeader(String name, byte @Nullable [] value) {
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
