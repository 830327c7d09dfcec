package io.kairos.edge.caller;

import io.kairos.engine.setting.Setting;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Settings of logging in at the dashboard by an issuer (OpenID Connect, authorization code flow
 * with PKCE).
 */
public record LoginConfig(
    @Setting(
            key = "http.issuers.<name>.client-id",
            description =
                "Lets people log in at the dashboard by this issuer, an OpenID provider: the id of the client that is registered there for Kairos, with the redirect URL https://kairos.example.com/ui/callback. The ID token must have the roles in roles-claim.")
        Optional<String> clientId,
    @Setting(
            key = "http.issuers.<name>.client-secret-file",
            description =
                "File with the client's secret; without it the client is a public one, which PKCE makes safe. Read at each login.")
        Optional<Path> clientSecretFile,
    @Setting(
            key = "http.issuers.<name>.scopes",
            defaultValue = "openid",
            description =
                "Scopes that a login asks for, with spaces between them, such as `openid groups` where a provider tells roles only to those who ask.")
        String scopes,
    @Setting(
            key = "http.issuers.<name>.authorization-url",
            format = KeysUrlFormat.class,
            description =
                "Where the issuer's login page is. Without it and token-url the issuer is asked for its .well-known/openid-configuration.")
        Optional<URI> authorizationUrl,
    @Setting(
            key = "http.issuers.<name>.token-url",
            format = KeysUrlFormat.class,
            description = "Where the code of a login is exchanged for an ID token.")
        Optional<URI> tokenUrl) {
  /** Nobody logs in by the issuer. */
  public static final LoginConfig NONE =
      new LoginConfig(
          Optional.empty(), Optional.empty(), "openid", Optional.empty(), Optional.empty());

  /** Contradictions between these settings; empty for none. */
  Optional<String> contradiction() {
    boolean has =
        clientSecretFile.isPresent() || authorizationUrl.isPresent() || tokenUrl.isPresent();
    if (clientId.isEmpty() && has) {
      return Optional.of(
          "has settings of a login without client-id: name the client, or take them away");
    }
    if (authorizationUrl.isPresent() != tokenUrl.isPresent()) {
      return Optional.of("has one of authorization-url and token-url: give both or none");
    }
    return Optional.empty();
  }
}
