package io.kairos.edge.caller;

import java.time.Instant;
import java.util.Set;

/**
 * A login that is over: as much of it as finds the caller anew at each request, so that a caller or
 * token that is taken away takes its sessions along. It has no token.
 */
public sealed interface Session {
  /** The moment at which the session ends at the latest. */
  Instant until();

  /**
   * Somebody has shown a token of the configuration or of the file of tokens.
   *
   * @param sha256 of the token, 64 hexadecimal digits in lower case
   */
  record OfToken(String sha256, Instant until) implements Session {}

  /**
   * An issuer has said who somebody is.
   *
   * @param issuer the name of the issuer in the configuration
   * @param roles those of the subject's roles that callers' claims named at the login
   */
  record OfSubject(String issuer, String subject, Set<String> roles, Instant until)
      implements Session {
    public OfSubject {
      roles = Set.copyOf(roles);
    }
  }
}
