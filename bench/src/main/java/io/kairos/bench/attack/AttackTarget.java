package io.kairos.bench.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.SessionProtocol;
import io.kairos.bench.load.BenchWait;
import io.kairos.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The node that is attacked, as an attack sees it: on loopback, from another loopback address than
 * the normal client's, with a bounded number of sockets, which end with the attack. Thread-safe.
 */
final class AttackTarget implements AutoCloseable {
  private static final String FROM = "127.0.0.2";
  private static final int MOST_SOCKETS = 3_000;

  private final int port;
  private final String token;
  private final EmbeddedPostgres postgres;
  private final long untilNanos;

  @GuardedBy("this")
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  private final Set<String> seen = ConcurrentHashMap.newKeySet();
  private final List<String> problems = new CopyOnWriteArrayList<>();

  /**
   * @param token that of the attacker, who may submit, read and work
   * @param length how long the attack lasts
   */
  AttackTarget(int port, String token, EmbeddedPostgres postgres, Duration length) {
    this.port = port;
    this.token = token;
    this.postgres = postgres;
    this.untilNanos = System.nanoTime() + length.toNanos();
  }

  boolean isOver() {
    return System.nanoTime() - untilNanos >= 0;
  }

  /** Lets some time pass, but not more than the attack has left. */
  void pass(Duration length) {
    BenchWait.pass(
        Duration.ofNanos(Math.clamp(untilNanos - System.nanoTime(), 0, length.toNanos())));
  }

  /** Notes the status of an answer. */
  void saw(String status) {
    seen.add(status);
  }

  boolean hasSeen(String status) {
    return seen.contains(status);
  }

  /** Notes what the node should not have done. */
  void demand(boolean holds, String otherwise) {
    if (!holds) {
      problems.add(otherwise);
    }
  }

  List<String> problems() {
    return List.copyOf(problems);
  }

  EmbeddedPostgres postgres() {
    return postgres;
  }

  /** A connection without a request. */
  Socket connect() throws IOException {
    Socket socket = new Socket();
    boolean isOpen = false;
    try {
      socket.bind(new InetSocketAddress(FROM, 0));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 2_000);
      socket.setSoTimeout(5_000);
      isOpen = true;
    } finally {
      if (!isOpen) {
        socket.close();
      }
    }
    return keep(socket);
  }

  /** A connection on which the head of a request was sent. */
  Socket request(String line, String... headers) throws IOException {
    Socket socket = connect();
    send(socket, head(line, headers));
    return socket;
  }

  /** The head of a request with the attacker's token. */
  String head(String line, String... headers) {
    return line
        + " HTTP/1.1\r\nhost: 127.0.0.1:"
        + port
        + "\r\nauthorization: Bearer "
        + token
        + "\r\n"
        + String.join("", Arrays.stream(headers).map(one -> one + "\r\n").toList())
        + "\r\n";
  }

  static void send(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(US_ASCII));
    out.flush();
  }

  /** One connection of a client; whoever opens another one closes this first. */
  ClientFactory connection() {
    return keep(
        ClientFactory.builder()
            .workerGroup(1)
            .connectTimeout(Duration.ofSeconds(5))
            .idleTimeoutMillis(0)
            .build());
  }

  /** A client of HTTP/2. */
  WebClient http2(ClientFactory factory) {
    return WebClient.builder(SessionProtocol.H2C, Endpoint.of("127.0.0.1", port))
        .factory(factory)
        .responseTimeoutMillis(0)
        .writeTimeoutMillis(0)
        .maxResponseLength(0)
        .build();
  }

  /** The headers of a gRPC call. */
  RequestHeaders call(String method, String... more) {
    var headers =
        RequestHeaders.builder(HttpMethod.POST, "/kairos.v1." + method)
            .set(HttpHeaderNames.CONTENT_TYPE, "application/grpc")
            .set(HttpHeaderNames.TE, "trailers")
            .set(HttpHeaderNames.AUTHORIZATION, "Bearer " + token);
    for (int i = 0; i < more.length; i += 2) {
      headers.set(more[i], more[i + 1]);
    }
    return headers.build();
  }

  private synchronized <T extends AutoCloseable> T keep(T resource) {
    if (opened.size() >= MOST_SOCKETS) {
      opened.removeIf(AttackTarget::isClosed);
    }
    if (isOver()) {
      throw new IllegalStateException("the attack is over");
    }
    if (opened.size() >= MOST_SOCKETS) {
      throw new IllegalStateException("an attack has at most " + MOST_SOCKETS + " sockets");
    }
    opened.push(resource);
    return resource;
  }

  private static boolean isClosed(AutoCloseable one) {
    return one instanceof Socket socket
        ? socket.isClosed()
        : one instanceof ClientFactory factory && factory.isClosed();
  }

  @Override
  public void close() {
    end();
  }

  /** Closes the attack's connections; whoever writes to one is interrupted by that. */
  synchronized void end() {
    for (AutoCloseable one : opened) {
      try {
        one.close();
      } catch (Exception _) {
        // The node may have closed it first.
      }
    }
    opened.clear();
  }
}
