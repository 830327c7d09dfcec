package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.time.MonotonicClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;

/**
 * Carries messages between replicas over TLS. Each replica calls each other one; on a connection
 * only the caller speaks.
 */
public final class GossipNetwork implements HashgraphCore.Network, AutoCloseable {
  private final ServerSocket server;

  /** Takes messages, on threads of connections. */
  @FunctionalInterface
  public interface Receiver {
    /**
     * Takes a message.
     *
     * @param done to be called once when the message takes no room any more
     * @return false for bytes that are no message: the connection is closed
     */
    boolean receive(ReplicaId from, byte[] message, Runnable done);
  }

  private GossipNetwork(GossipConfig gossip) throws IOException {
    this.server = new ServerSocket();
    server.bind(gossip.listen());
  }

  /**
   * Binds the address at which this replica listens.
   *
   * @throws UncheckedIOException if it cannot be used
   */
  public static GossipNetwork bind(
      GossipConfig gossip, HashgraphConfig config, EventKeys keys, MonotonicClock clock) {
    try {
      return new GossipNetwork(gossip);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Begins to listen and to call. */
  public void start(Receiver receiver) {}

  /** Ends what takes too long; to be called every 50 ms. */
  public void look() {}

  @Override
  public void send(ReplicaId to, byte[] message) {}

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
