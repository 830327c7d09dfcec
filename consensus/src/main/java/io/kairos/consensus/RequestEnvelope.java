package io.kairos.consensus;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.RequestOrigin;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A request as it is in the log, with its origin. The origin is trusted, because only replicas
 * reach the log, and they fail only by crashing.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RequestEnvelope(RequestOrigin origin, byte[] command) {
  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 2 * Byte.BYTES + 2 * Long.BYTES;

  static byte[] encode(ReplicaId from, ClientId client, long request, byte[] command) {
    return ByteBuffer.allocate(HEAD_BYTES + command.length)
        .put(VERSION)
        .put((byte) from.number())
        .putLong(client.value())
        .putLong(request)
        .put(command)
        .array();
  }

  /** Decodes a request; empty for other bytes, which every replica skips. */
  static Optional<RequestEnvelope> decode(ByteBuffer from) {
    if (from.remaining() < HEAD_BYTES || from.get() != VERSION) {
      return Optional.empty();
    }
    int replica = from.get();
    ClientId client = new ClientId(from.getLong());
    long request = from.getLong();
    if (replica < 0 || replica >= ReplicaGroup.LARGEST || request < 1) {
      return Optional.empty();
    }
    byte[] command = new byte[from.remaining()];
    from.get(command);
    return Optional.of(
        new RequestEnvelope(new RequestOrigin(client, request, new ReplicaId(replica)), command));
  }
}
