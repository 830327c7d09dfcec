package io.kairos.embedded;

import io.kairos.embedded.EmbeddedStartException.Problem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Chooses and checks TCP ports of 127.0.0.1. */
public final class LoopbackPort {
  /**
   * The first port to choose, below the range of local ports for outgoing connections on Linux and
   * macOS. Within that range, a client that reconnects to a stopped engine would sooner or later
   * get the engine's port, connect to itself, and keep the engine from starting.
   */
  private static final int FIRST = 15_000;

  private static final int LAST = 32_000;
  private static final int TRIES = 100;

  private LoopbackPort() {}

  /** Returns a port that was free a moment ago; it may be taken by the time it is bound. */
  public static int choose() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      if (isFree(port)) {
        return port;
      }
    }
    throw new EmbeddedStartException(
        Problem.PORT_TAKEN,
        "No free port found between " + FIRST + " and " + LAST + " on 127.0.0.1.");
  }

  static void requireFree(int port, String engine) {
    if (!isFree(port)) {
      throw new EmbeddedStartException(
          Problem.PORT_TAKEN,
          "Port %d of 127.0.0.1 is taken by another process, so the embedded %s cannot listen there: stop that process or choose another port (0 takes a free one)."
              .formatted(port, engine));
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true); // as the engines do: connections of an earlier run may linger
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
