package io.kairos.hashgraph;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** SHA-384 of an event: its name in the graph. */
final class EventHash implements Comparable<EventHash> {
  static final int BYTES = 48;

  private final byte[] bytes;

  EventHash(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a hash has 48 bytes, not " + bytes.length);
    }
    this.bytes = bytes.clone();
  }

  byte[] bytes() {
    return bytes.clone();
  }

  /** True when a parent has this name. */
  boolean equalsParent(Event.Parent parent) {
    return equals(parent.hash());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EventHash that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return bytes[0] << 24 | (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
  }

  @Override
  public int compareTo(EventHash other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes, 0, 6);
  }
}
