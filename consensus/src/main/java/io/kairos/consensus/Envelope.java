package io.kairos.consensus;

import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.Origin;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A request as it is in the log, with where it comes from. The replica that it names is believed,
 * because only replicas reach the log and they only crash.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Envelope(Origin origin, byte[] command) {
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

  /** Empty for bytes that are none: every replica passes over them. */
  static Optional<Envelope> decode(ByteBuffer from) {
    if (from.remaining() < HEAD_BYTES || from.get() != VERSION) {
      return Optional.empty();
    }
    int replica = from.get();
    ClientId client = new ClientId(from.getLong());
    long request = from.getLong();
    if (replica < 0 || replica >= Cluster.LARGEST || request < 1) {
      return Optional.empty();
    }
    byte[] command = new byte[from.remaining()];
    from.get(command);
    return Optional.of(new Envelope(new Origin(client, request, new ReplicaId(replica)), command));
  }
}
