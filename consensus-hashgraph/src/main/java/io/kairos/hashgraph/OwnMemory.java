package io.kairos.hashgraph;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The head of a journal: a checkpoint, and what this replica must not forget.
 *
 * @param checkpoint none before the first
 * @param last the last event of this replica, which its next one has to follow; none before the
 *     first
 * @param silentUntil see {@link Silence}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record OwnMemory(Optional<byte[]> checkpoint, Optional<byte[]> last, long silentUntil) {
  private static final byte[] NOTHING = {};

  byte[] encode() {
    byte[] checkpointBytes = checkpoint.orElse(NOTHING);
    byte[] lastBytes = last.orElse(NOTHING);
    return ByteBuffer.allocate(
            Math.addExact(Long.BYTES + Integer.BYTES + lastBytes.length, checkpointBytes.length))
        .putLong(silentUntil)
        .putInt(lastBytes.length)
        .put(lastBytes)
        .put(checkpointBytes)
        .array();
  }

  /** Decodes the head of a journal; empty for other bytes. */
  static Optional<OwnMemory> decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    if (from.remaining() < Long.BYTES + Integer.BYTES) {
      return Optional.empty();
    }
    long silentUntil = from.getLong();
    int lastBytes = from.getInt();
    if (lastBytes < 0 || lastBytes > from.remaining()) {
      return Optional.empty();
    }
    byte[] last = new byte[lastBytes];
    from.get(last);
    byte[] checkpoint = new byte[from.remaining()];
    from.get(checkpoint);
    return Optional.of(
        new OwnMemory(
            Optional.of(checkpoint).filter(each -> each.length > 0),
            Optional.of(last).filter(each -> each.length > 0),
            silentUntil));
  }
}
