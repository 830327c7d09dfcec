package io.kairos.edge.access;

import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Settings of the HTTP edge.
 *
 * @param callers the callers of the API; if empty, everybody on this machine may call
 */
public record HttpConfig(
    @Setting(
            key = "http.host",
            defaultValue = "127.0.0.1",
            description =
                "Address that the HTTP edge listens on. One that other machines reach needs http.callers.")
        InetAddress address,
    @Setting(
            key = PORT,
            defaultValue = "7070",
            min = "0",
            max = "65535",
            description = "Port that the HTTP edge listens on; 0 takes a free one.")
        int port,
    @Setting(
            key = "http.max-payload-bytes",
            defaultValue = MAX_PAYLOAD_BYTES,
            min = "1",
            max = "16000000",
            description =
                "Largest payload of a task, in bytes. Clients of gRPC accept 4 MiB in one answer unless they are told otherwise.")
        int maxPayloadBytes,
    List<CallerConfig> callers) {
  public static final String PORT = "http.port";
  private static final String MAX_PAYLOAD_BYTES = "1000000";

  /** The defaults except for the port; only this machine may call. */
  public static HttpConfig local(int port) {
    return new HttpConfig(
        InetAddress.getLoopbackAddress(), port, Integer.parseInt(MAX_PAYLOAD_BYTES), List.of());
  }

  /** Throws {@link IllegalArgumentException} that names the property and its rule. */
  public HttpConfig {
    ConfigRecord.check(HttpConfig.class, address, port, maxPayloadBytes, callers);
    callers = List.copyOf(callers);
    if (!address.isLoopbackAddress() && callers.isEmpty()) {
      throw new IllegalArgumentException(
          "http.host is an address that other machines reach, and no callers are configured: keep"
              + " 127.0.0.1, or give each caller a token with http.callers.<name>.token-sha256 and"
              + " http.callers.<name>.roles");
    }
    Set<String> hashes = new HashSet<>();
    for (CallerConfig caller : callers) {
      if (!hashes.add(caller.tokenSha256())) {
        throw new IllegalArgumentException(
            "http.callers."
                + caller.name()
                + ".token-sha256 is another caller's as well: give each a token of its own");
      }
    }
  }
}
