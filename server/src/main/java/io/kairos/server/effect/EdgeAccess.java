package io.kairos.server.effect;

import io.kairos.engine.setting.Setting;
import io.kairos.engine.setting.ValueFormat;
import java.net.URI;
import java.util.Optional;

/** Address and token of a node's or a replica's HTTP edge, for calls to it. */
public record EdgeAccess(
    @Setting(
            key = "replica.node",
            required = true,
            otherwise = "replica.node-token is for that node",
            format = UrlFormat.class,
            description =
                "HTTP edge of the Kairos node, or of a load balancer before several, that takes the tasks and messages of entries. Without it, tasks and messages wait.")
        URI url,
    @Setting(
            key = "replica.node-token",
            description =
                "Token for that node, with the role submit, and read for replica.schedules; never shown. KAIROS_REPLICA_NODE_TOKEN_FILE names a file that holds it.")
        Optional<String> token) {
  /** Scheme, host and port only. */
  static final class UrlFormat extends ValueFormat<URI> {
    UrlFormat() {
      super(
          "URL",
          "the URL of a node's HTTP edge, such as http://127.0.0.1:7070",
          "https?://[^/?\\s]+",
          UrlFormat::parse);
    }

    private static URI parse(String text) {
      URI url = URI.create(text);
      if (url.getHost() == null || !"".equals(url.getRawPath())) {
        throw new IllegalArgumentException(text);
      }
      return url;
    }
  }

  /** The URL only: the token must not appear in logs. */
  @Override
  public String toString() {
    return url.toString();
  }
}
