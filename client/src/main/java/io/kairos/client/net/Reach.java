package io.kairos.client.net;

import io.grpc.ManagedChannelBuilder;
import java.util.List;
import java.util.function.Function;

/**
 * Where the nodes are and how to talk to them.
 *
 * @param addresses {@code host:port} of one or several nodes; all nodes are equal
 * @param token API token, sent as {@code authorization: Bearer …}; empty for none
 * @param transport makes the channel to an address; plain text by default, the place for TLS
 */
public record Reach(
    List<String> addresses, String token, Function<String, ManagedChannelBuilder<?>> transport) {
  public Reach {
    addresses = List.copyOf(addresses);
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("addresses must name at least one node as host:port");
    }
  }

  public static Reach of(List<String> addresses) {
    return new Reach(
        addresses, "", address -> ManagedChannelBuilder.forTarget(address).usePlaintext());
  }

  public Reach withToken(String newToken) {
    return new Reach(addresses, newToken, transport);
  }

  public Reach withTransport(Function<String, ManagedChannelBuilder<?>> newTransport) {
    return new Reach(addresses, token, newTransport);
  }
}
