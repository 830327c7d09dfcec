package io.kairos.kafka;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Copies the beginning of keys or values out of the client's buffers, so that what is kept of a
 * record is bounded, whatever its size.
 */
record FirstBytes(int most) implements Deserializer<FirstBytes.Part> {
  /**
   * The beginning of a key or value.
   *
   * @param size of the whole
   */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, not copied
  record Part(int size, byte[] bytes) {
    boolean isCut() {
      return bytes.length < size;
    }

    static byte @Nullable [] begin(@Nullable Part part) {
      return part == null ? null : part.bytes;
    }
  }

  @Override
  public Part deserialize(String topic, Headers headers, ByteBuffer data) {
    byte[] bytes = new byte[Math.min(most, data.remaining())];
    int size = data.remaining();
    data.get(bytes);
    return new Part(size, bytes);
  }

  @Override
  public Part deserialize(String topic, byte[] data) {
    return new Part(data.length, Arrays.copyOf(data, Math.min(most, data.length)));
  }
}
