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

  /** Decodes what {@link #encode} wrote; the journal vouches for the bytes. */
  static OwnMemory decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    long silentUntil = from.getLong();
    byte[] last = new byte[from.getInt()];
    from.get(last);
    byte[] checkpoint = new byte[from.remaining()];
    from.get(checkpoint);
    return new OwnMemory(
        Optional.of(checkpoint).filter(each -> each.length > 0),
        Optional.of(last).filter(each -> each.length > 0),
        silentUntil);
  }
}
