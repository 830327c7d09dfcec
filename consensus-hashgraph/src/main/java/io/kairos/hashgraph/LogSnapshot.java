package io.kairos.hashgraph;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;

/**
 * Everything after a round from which a replica goes on, given the events that are not ancient.
 * Equal bytes on all replicas that tell the truth.
 *
 * @param round the last decided round
 * @param ancientBelow events born before this round are not needed
 */
@SuppressWarnings("ArrayRecordComponent") // compared by digest
record LogSnapshot(long round, long ancientBelow, Instant agreed, byte[] engine, byte[] state) {
  byte[] encode() {
    int size = Math.addExact(3 * Long.BYTES + 2 * Integer.BYTES + engine.length, state.length);
    return ByteBuffer.allocate(size)
        .putLong(round)
        .putLong(ancientBelow)
        .putLong(agreed.getEpochSecond())
        .putInt(agreed.getNano())
        .putInt(engine.length)
        .put(engine)
        .put(state)
        .array();
  }

  /** Decodes a snapshot; empty for other bytes. Whether it is true, only others can say. */
  static Optional<LogSnapshot> decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    try {
      long round = from.getLong();
      long ancientBelow = from.getLong();
      long second = from.getLong();
      int nano = from.getInt();
      int engineBytes = from.getInt();
      boolean isNoInstant =
          second < 0 || second > Instant.MAX.getEpochSecond() || nano < 0 || nano > 999_999_999;
      if (round < 1
          || ancientBelow < 1
          || isNoInstant
          || engineBytes < 0
          || engineBytes > from.remaining()) {
        return Optional.empty();
      }
      byte[] engine = new byte[engineBytes];
      from.get(engine);
      byte[] state = new byte[from.remaining()];
      from.get(state);
      return Optional.of(
          new LogSnapshot(round, ancientBelow, Instant.ofEpochSecond(second, nano), engine, state));
    } catch (BufferUnderflowException e) {
      return Optional.empty();
    }
  }
}
