package io.kairos.consensus;

/** Where a replica listens for the others. */
public record ReplicaAddress(String host, int port) {
  private static final int LAST_PORT = 65_535;

  /** Throws {@link IllegalArgumentException} that names what is wrong. */
  public ReplicaAddress {
    if (host.isBlank() || port < 1 || port > LAST_PORT) {
      throw new IllegalArgumentException(
          "a replica listens at host:port, port 1 to 65535, not at " + host + ":" + port);
    }
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
