package io.kairos.server.config;

import java.net.InetAddress;
import java.util.Optional;

/**
 * The HTTP edge.
 *
 * @param address to listen on
 * @param port 0 takes a free one
 */
public record HttpConfig(InetAddress address, int port) {
  public static final String HOST = "http.host";
  public static final String PORT = "http.port";
  public static final String ALLOW_REMOTE = "http.allow-remote";
  public static final int DEFAULT_PORT = 7070;

  private static final Kind<InetAddress> ADDRESS =
      new Kind<>(
          "address",
          "an IP address of this machine, such as 127.0.0.1, or localhost",
          text -> InetAddress.ofLiteral(text.equals("localhost") ? "127.0.0.1" : text),
          InetAddress::getHostAddress);

  public static Optional<HttpConfig> read(Settings settings) {
    InetAddress address =
        settings.value(
            HOST,
            ADDRESS,
            InetAddress.ofLiteral("127.0.0.1"),
            "Address that the HTTP edge listens on.");
    int port =
        settings.value(
            PORT,
            Kind.number(0, 65_535),
            DEFAULT_PORT,
            "Port that the HTTP edge listens on; 0 takes a free one.");
    boolean allowRemote =
        settings.value(
            ALLOW_REMOTE,
            Kind.FLAG,
            false,
            "Whether the HTTP edge may listen on an address that other machines reach. It asks for no password.");
    if (!address.isLoopbackAddress() && !allowRemote) {
      settings.contradiction(
          "http.host is an address that other machines reach, and the HTTP edge asks for no password:"
              + " keep 127.0.0.1, or set http.allow-remote=true where the network is trusted");
      return Optional.empty();
    }
    return Optional.of(new HttpConfig(address, port));
  }
}
