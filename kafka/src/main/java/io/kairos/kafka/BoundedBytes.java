package io.kairos.kafka;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Copies keys and values out of the batches that the client decompresses, within bounds: a
 * compressed fetch is bounded, what it becomes is not. One key or value beyond {@code maxPart} is
 * never copied; only its size and hash are kept. A record that would take a poll beyond {@code
 * maxPoll} is left for the next one. Used by the polling thread, for keys and values alike.
 */
final class BoundedBytes implements Deserializer<ReadBytes> {
  private final long maxPoll;
  private final int maxPart;

  /** Bytes of this poll: in all, and before the present record. */
  private long taken;

  private long takenBefore;

  /** Of the present record: every record has its own. */
  private @Nullable Headers record;

  BoundedBytes(long maxPoll, int maxPart) {
    this.maxPoll = maxPoll;
    this.maxPart = maxPart;
  }

  /** A poll begins, or the records of the last one are out of the client's hands. */
  void begin() {
    taken = 0;
    takenBefore = 0;
    record = null;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the object stands for the record
  public ReadBytes deserialize(String topic, Headers headers, ByteBuffer data) {
    if (headers != record) {
      record = headers;
      takenBefore = taken;
    }
    int size = data.remaining();
    if (size > maxPart) {
      for (Header header : headers) {
        header.key(); // else the header keeps the whole record in memory
        header.value();
      }
      return new ReadBytes(size, null, sha256(data));
    }
    if (takenBefore > 0 && taken + size > maxPoll) {
      return new ReadBytes(size, null, null);
    }
    taken += size;
    byte[] bytes = new byte[size];
    data.get(bytes);
    return new ReadBytes(size, bytes, null);
  }

  @Override
  public ReadBytes deserialize(String topic, byte[] data) {
    throw new UnsupportedOperationException("the client gives buffers");
  }

  private static String sha256(ByteBuffer data) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(data);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
