package io.kairos.server.effect;

import java.net.URI;
import java.util.Optional;

/**
 * Where tasks and messages are asked for.
 *
 * @param url of a node's HTTP edge, scheme, host and port only
 * @param token for it; empty where none is needed
 */
public record NodeAccess(URI url, Optional<String> token) {
  /** The token stays out of logs. */
  @Override
  public String toString() {
    return url.toString();
  }
}
