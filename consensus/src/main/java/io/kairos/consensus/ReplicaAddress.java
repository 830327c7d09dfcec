package io.kairos.consensus;

import io.kairos.engine.replica.CertificateHost;
import io.kairos.engine.setting.ValueFormat;
import java.net.InetAddress;
import java.util.Optional;

/** The address at which a replica listens for the others. */
public record ReplicaAddress(String host, int port) {
  private static final int LAST_PORT = 65_535;

  /** Throws {@link IllegalArgumentException} that names the fault. */
  public ReplicaAddress {
    if (host.isBlank() || port < 1 || port > LAST_PORT) {
      throw new IllegalArgumentException(
          "a replica listens at host:port, port 1 to 65535, not at " + host + ":" + port);
    }
  }

  /** The host, if it is an IP address and not a name. */
  public Optional<InetAddress> literal() {
    return CertificateHost.literal(host);
  }

  /** Reads {@code host:port}. */
  public static final class Format extends ValueFormat<ReplicaAddress> {
    Format() {
      super(
          "host:port",
          "host:port",
          "(\\[[0-9a-fA-F:.]+]|[^:\\[\\]\\s]+):[0-9]{1,5}",
          text -> {
            int colon = text.lastIndexOf(':');
            return new ReplicaAddress(
                text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
          });
    }
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
