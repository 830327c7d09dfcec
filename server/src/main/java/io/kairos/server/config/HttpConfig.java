package io.kairos.server.config;

import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The HTTP edge.
 *
 * @param callers who may call the API; without any everybody on this machine may
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
            defaultValue = "1000000",
            min = "1",
            max = "16000000",
            description =
                "Largest payload of a task, in bytes. Clients of gRPC accept 4 MiB in one answer unless they are told otherwise.")
        int maxPayloadBytes,
    List<CallerConfig> callers) {
  public static final String PORT = "http.port";

  /** The defaults but for the port, for this machine only. */
  public static HttpConfig local(int port) {
    return new SettingsReader(Sources.none())
        .withDefault(PORT, Integer.toString(port))
        .bind(HttpConfig.class)
        .orElseThrow();
  }

  /** Throws {@link IllegalArgumentException} that names what is wrong. */
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
