package io.kairos.edge.caller;

import io.kairos.engine.setting.ValueFormat;
import java.net.URI;

/** Where keys are fetched from: by https, or from this machine. */
final class KeysUrlFormat extends ValueFormat<URI> {
  KeysUrlFormat() {
    super(
        "URL",
        "an https URL, or an http URL of a loopback address",
        "https?://\\S+",
        KeysUrlFormat::checked);
  }

  /** Throws {@link IllegalArgumentException} for a URL over which keys could be forged. */
  static URI checked(String text) {
    URI url = URI.create(text);
    String host = url.getHost();
    boolean isLocal =
        host != null
            && (host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]"));
    if (host == null || !("https".equals(url.getScheme()) || isLocal)) {
      throw new IllegalArgumentException(text);
    }
    return url;
  }
}
