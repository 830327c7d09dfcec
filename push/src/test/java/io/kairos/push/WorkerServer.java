package io.kairos.push;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** A worker of a pool: an HTTP server on loopback that remembers what it got. */
final class WorkerServer implements AutoCloseable {
  /**
   * What it got.
   *
   * @param caller subject of the certificate that the caller has presented; empty without TLS
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Got(String method, String path, Headers headers, byte[] body, String caller) {
    String header(String name) {
      return String.valueOf(headers.getFirst(name));
    }
  }

  private final List<Got> got = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private volatile HttpHandler handler;

  WorkerServer(HttpHandler handler) throws IOException {
    this(handler, HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
  }

  private WorkerServer(HttpHandler handler, HttpServer server) {
    this.handler = handler;
    this.server = server;
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** One that answers with this status and nothing else. */
  static WorkerServer answering(int status) throws IOException {
    return new WorkerServer(exchange -> exchange.sendResponseHeaders(status, -1));
  }

  /** One with TLS, which answers 200 to whoever presents a certificate that the context trusts. */
  static WorkerServer secured(SSLContext tls) throws IOException {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters needed = tls.getDefaultSSLParameters();
            needed.setNeedClientAuth(true);
            parameters.setSSLParameters(needed);
          }
        });
    return new WorkerServer(exchange -> exchange.sendResponseHeaders(200, -1), server);
  }

  private static String caller(HttpExchange exchange) throws IOException {
    return exchange instanceof HttpsExchange secured
        ? secured.getSSLSession().getPeerPrincipal().getName()
        : "";
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      got.add(
          new Got(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              exchange.getRequestHeaders(),
              exchange.getRequestBody().readAllBytes(),
              caller(exchange)));
      handler.handle(exchange);
    }
  }

  void now(HttpHandler other) {
    handler = other;
  }

  List<Got> got() {
    return got;
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url() {
    return "http://127.0.0.1:" + port();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
