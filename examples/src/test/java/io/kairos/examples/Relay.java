package io.kairos.examples;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A way to a node that can be cut: what is said then gets no answer. */
final class Relay implements AutoCloseable {
  private final ServerSocket server;
  private final int to;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile boolean cut;

  Relay(int to) throws IOException {
    this.to = to;
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket from = server.accept();
        Socket node = new Socket(InetAddress.getLoopbackAddress(), to);
        sockets.addAll(List.of(from, node));
        Thread.ofVirtual().start(() -> pass(from, node));
        Thread.ofVirtual().start(() -> pass(node, from));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void pass(Socket from, Socket into) {
    byte[] some = new byte[8_192];
    try {
      for (int n = from.getInputStream().read(some); n >= 0; n = from.getInputStream().read(some)) {
        if (!cut) {
          into.getOutputStream().write(some, 0, n);
        }
      }
    } catch (IOException e) {
      // one side is gone
    }
  }

  /** From now on nothing passes. */
  void cut() {
    cut = true;
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
