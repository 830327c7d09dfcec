package io.kairos.hashgraph;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** SHA-384 of an event: its name in the graph. */
final class EventHash {
  static final int BYTES = 48;

  private final byte[] bytes;
  private final int code;

  /** Takes over the bytes. */
  EventHash(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a hash has 48 bytes, not " + bytes.length);
    }
    this.bytes = bytes;
    this.code = ByteBuffer.wrap(bytes).getInt();
  }

  byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EventHash that && code == that.code && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return code;
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes, 0, 6);
  }
}
