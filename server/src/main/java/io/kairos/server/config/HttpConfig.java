package io.kairos.server.config;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * The HTTP edge.
 *
 * @param address to listen on
 * @param port 0 takes a free one
 * @param maxPayloadBytes of a task
 * @param callers who may call the API; without any everybody on this machine may
 */
public record HttpConfig(
    InetAddress address, int port, int maxPayloadBytes, List<CallerConfig> callers) {
  public static final String HOST = "http.host";
  public static final String PORT = "http.port";
  public static final int DEFAULT_PORT = 7070;
  public static final int DEFAULT_MAX_PAYLOAD_BYTES = 1_000_000;

  private static final int MOST_PAYLOAD_BYTES = 16_000_000;
  private static final Kind<InetAddress> ADDRESS =
      new Kind<>(
          "address",
          "an IP address of this machine, such as 127.0.0.1, or localhost",
          text -> InetAddress.ofLiteral(text.equals("localhost") ? "127.0.0.1" : text),
          InetAddress::getHostAddress);

  public HttpConfig {
    callers = List.copyOf(callers);
  }

  public static Optional<HttpConfig> read(Settings settings) {
    return read(settings, DEFAULT_PORT);
  }

  /** Of a process whose default port is another. */
  public static Optional<HttpConfig> read(Settings settings, int defaultPort) {
    InetAddress address =
        settings.value(
            HOST,
            ADDRESS,
            InetAddress.ofLiteral("127.0.0.1"),
            "Address that the HTTP edge listens on. One that other machines reach needs http.callers.");
    int port =
        settings.value(
            PORT,
            Kind.number(0, 65_535),
            defaultPort,
            "Port that the HTTP edge listens on; 0 takes a free one.");
    int maxPayloadBytes =
        settings.value(
            "http.max-payload-bytes",
            Kind.number(1, MOST_PAYLOAD_BYTES),
            DEFAULT_MAX_PAYLOAD_BYTES,
            "Largest payload of a task, in bytes. Clients of gRPC accept 4 MiB in one answer unless they are told otherwise.");
    List<CallerConfig> callers = CallerConfig.readAll(settings);
    if (!address.isLoopbackAddress() && CallerConfig.names(settings).isEmpty()) {
      settings.contradiction(
          "http.host is an address that other machines reach, and no callers are configured: keep"
              + " 127.0.0.1, or give each caller a token with http.callers.<name>.token-sha256 and"
              + " http.callers.<name>.roles");
      return Optional.empty();
    }
    return Optional.of(new HttpConfig(address, port, maxPayloadBytes, callers));
  }
}
