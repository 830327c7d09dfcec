package io.kairos.hashgraph;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * Where replicas listen, and how much one of them, or a stranger, may cost this one.
 *
 * @param peers where each replica is called, by its number, this one included; host names are
 *     looked up at each call
 * @param listen where this replica listens; the host may be a wildcard
 */
public record GossipConfig(
    List<InetSocketAddress> peers, InetSocketAddress listen, PeerTls tls, Limits limits) {
  public GossipConfig {
    peers = List.copyOf(peers);
    requireNonNull(listen, "listen");
    requireNonNull(tls, "tls");
    requireNonNull(limits, "limits");
  }

  /**
   * Bounds and deadlines.
   *
   * @param outgoingBytes messages that wait to be sent to one replica; what is more is dropped,
   *     because replicas ask again
   * @param bytesPerSecond read from one replica, on average
   * @param strangers connections that have not shown whose they are, from the host of one replica,
   *     or from everywhere else; one more ends the oldest
   * @param acceptsPerSecond connections from one such place whose handshakes are begun, on average,
   *     so that they cannot use up the processor
   * @param handshake from the first byte of a connection until it has shown whose it is
   * @param frame from the first byte of a message to its last
   * @param silence without a sign of life, after which a connection is given up
   * @param reconnect the longest pause between two calls of a replica that does not answer
   */
  public record Limits(
      int outgoingBytes,
      int bytesPerSecond,
      int strangers,
      int acceptsPerSecond,
      Duration handshake,
      Duration frame,
      Duration silence,
      Duration reconnect) {
    public static final Limits DEFAULT =
        new Limits(
            8 << 20,
            16 << 20,
            64,
            50,
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(15),
            Duration.ofSeconds(2));

    /** Throws {@link IllegalArgumentException} for a bound that lets nothing pass. */
    public Limits {
      require(strangers >= 1, "somebody must be able to connect, with ", strangers);
      require(acceptsPerSecond >= 1, "somebody must be accepted, with ", acceptsPerSecond);
    }
  }
}
