package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.RequestOrigin;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A request as it is in an event. The replica from which it comes is not in it: that is the creator
 * of the event, who has signed it.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RequestEnvelope(RequestOrigin origin, byte[] command) {
  private static final byte VERSION = 1;
  static final int HEAD_BYTES = Byte.BYTES + 2 * Long.BYTES;

  static byte[] encode(ClientId client, long request, byte[] command) {
    return ByteBuffer.allocate(HEAD_BYTES + command.length)
        .put(VERSION)
        .putLong(client.value())
        .putLong(request)
        .put(command)
        .array();
  }

  /**
   * Decodes a request; empty for other bytes, and for a request in the name of another replica,
   * which would take the number of one that the other makes. Every replica skips these.
   */
  static Optional<RequestEnvelope> decode(ReplicaId creator, byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    if (from.remaining() < HEAD_BYTES || from.get() != VERSION) {
      return Optional.empty();
    }
    ClientId client = new ClientId(from.getLong());
    long request = from.getLong();
    if (request < 1 || (client.isReserved() && !client.belongsTo(creator))) {
      return Optional.empty();
    }
    byte[] command = new byte[from.remaining()];
    from.get(command);
    return Optional.of(new RequestEnvelope(new RequestOrigin(client, request, creator), command));
  }
}
