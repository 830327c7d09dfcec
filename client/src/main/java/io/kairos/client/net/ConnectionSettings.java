package io.kairos.client.net;

import io.grpc.ManagedChannelBuilder;
import java.util.List;
import java.util.function.Function;

/**
 * The addresses of the nodes, with token and transport.
 *
 * @param addresses {@code host:port} of one or more nodes; all nodes are equal
 * @param token API token, sent as {@code authorization: Bearer …}; empty for none
 * @param transport factory of channels to addresses, for example with TLS; plain text by default
 */
public record ConnectionSettings(
    List<String> addresses, String token, Function<String, ManagedChannelBuilder<?>> transport) {
  public ConnectionSettings {
    addresses = List.copyOf(addresses);
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("addresses must name at least one node as host:port");
    }
  }

  public static ConnectionSettings of(List<String> addresses) {
    return new ConnectionSettings(
        addresses, "", address -> ManagedChannelBuilder.forTarget(address).usePlaintext());
  }

  public ConnectionSettings withToken(String newToken) {
    return new ConnectionSettings(addresses, newToken, transport);
  }

  public ConnectionSettings withTransport(Function<String, ManagedChannelBuilder<?>> newTransport) {
    return new ConnectionSettings(addresses, token, newTransport);
  }
}
