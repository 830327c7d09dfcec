package io.kairos.server.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An HTTP server to which entries push. Counts requests by idempotency key. Answers on a thread of
 * its own.
 */
public final class DemoPushReceiver implements AutoCloseable {
  private static final int NO_CONTENT = 204;

  private final HttpServer server;
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();

  /** Listens on a free port of this machine. */
  public DemoPushReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::receive);
    server.start();
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      counts.merge(
          String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")),
          1,
          Integer::sum);
      exchange.sendResponseHeaders(NO_CONTENT, -1);
    }
  }

  /** The URL for pushes. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/beat";
  }

  /** The idempotency keys that have arrived. */
  public Set<String> ids() {
    return Set.copyOf(counts.keySet());
  }

  /** Number of different requests. */
  public int distinct() {
    return counts.size();
  }

  /** Number of requests that have arrived more than once. */
  public long repeated() {
    return counts.values().stream().filter(times -> times > 1).count();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
