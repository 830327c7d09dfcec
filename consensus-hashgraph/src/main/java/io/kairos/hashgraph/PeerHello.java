package io.kairos.hashgraph;

import io.kairos.domain.check.HashFunction;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.CertificateHost;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;

/**
 * The first bytes of each side, the caller's first: version, its number, that of the other, a byte
 * each, and its signature over these, the name of the cluster, the direction, and bytes that only
 * the two sides of this connection know. So replicas on one host are told apart, nobody can pass on
 * or repeat a hello, and a certificate alone is of no use.
 */
final class PeerHello {
  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 3;
  private static final int BYTES = HEAD_BYTES + EventKeys.SIGNATURE_BYTES;

  /** Events are hashed with the length of a name first, so that this begins none. */
  private static final int NO_EVENT = -1;

  private final HashgraphConfig config;
  private final List<InetSocketAddress> places;
  private final EventKeys keys;

  PeerHello(HashgraphConfig config, GossipConfig gossip, EventKeys keys) {
    this.config = config;
    this.places = gossip.peers();
    this.keys = keys;
  }

  /** Says to a replica who this one is. */
  void say(PeerConnection connection, boolean isCaller, ReplicaId to) throws IOException {
    byte[] head = {VERSION, (byte) config.self().number(), (byte) to.number()};
    connection.write(
        ByteBuffer.allocate(BYTES)
            .put(head)
            .put(keys.sign(hash(head, isCaller, connection.exported())))
            .array());
    connection.flush();
  }

  /** Hears who the other side is. */
  ReplicaId hear(PeerConnection connection, boolean isCaller) throws IOException {
    byte[] hello = connection.read(BYTES);
    byte[] head = Arrays.copyOf(hello, HEAD_BYTES);
    if (head[0] != VERSION || head[1] < 0 || head[1] >= config.cluster().size()) {
      throw new LinkException(
          LinkFault.IMPOSTOR, "the hello is of another version, or of no replica of this cluster");
    }
    ReplicaId from = new ReplicaId(head[1]);
    byte[] signature = Arrays.copyOfRange(hello, HEAD_BYTES, BYTES);
    if (head[2] != config.self().number()
        || from.equals(config.self())
        || !keys.verify(from, hash(head, isCaller, connection.exported()), signature)) {
      throw new LinkException(
          LinkFault.IMPOSTOR,
          "the hello has not the signature of %s for this connection and the cluster %s"
              .formatted(from, config.clusterName()));
    }
    String host = places.get(from.number()).getHostString();
    if (!CertificateHost.isFor(host, connection.certificate())) {
      throw new LinkException(
          LinkFault.OTHER_HOST,
          "%s has signed, with a certificate that has not its host, %s, as a DNS name or IP address"
              .formatted(from, host));
    }
    return from;
  }

  private byte[] hash(byte[] head, boolean isCaller, byte[] exported) {
    byte[] name = config.clusterName().getBytes(StandardCharsets.UTF_8);
    MessageDigest digest = HashFunction.sha256();
    digest.update(
        ByteBuffer.allocate(2 * Integer.BYTES + 1)
            .putInt(NO_EVENT)
            .putInt(name.length)
            .put((byte) (isCaller ? 1 : 0))
            .array());
    digest.update(name);
    digest.update(head);
    return digest.digest(exported);
  }
}
