package io.kairos.edge.caller;

import io.kairos.engine.setting.Setting;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Who issues JSON Web Tokens that callers show (RFC 7519; an OpenID provider, a Kubernetes
 * cluster).
 *
 * @param name chosen by the operator; the first part of its callers' names
 */
public record IssuerConfig(
    String name,
    @Setting(
            key = "http.issuers.<name>.issuer",
            required = true,
            otherwise = NEEDS,
            description =
                "Accepts JSON Web Tokens of this issuer, under a name of your choice: the text of their claim `iss`, such as https://login.example.com/realms/jobs. Who has one is the callers whose `claims` name what it says.")
        String issuer,
    @Setting(
            key = "http.issuers.<name>.audience",
            required = true,
            otherwise = NEEDS,
            description = "What the tokens' claim `aud` must have, such as kairos.")
        String audience,
    @Setting(
            key = "http.issuers.<name>.roles-claim",
            defaultValue = "roles",
            description =
                "Claim with the roles of the tokens' subject: a list, or words in one text. Dots lead into objects, as in realm_access.roles.")
        String rolesClaim,
    @Setting(
            key = "http.issuers.<name>.keys-url",
            format = KeysUrlFormat.class,
            description =
                "Where the issuer's keys are (a JWK set). Without it and without keys-file the issuer is asked for its .well-known/openid-configuration.")
        Optional<URI> keysUrl,
    @Setting(
            key = "http.issuers.<name>.keys-file",
            description =
                "File with the issuer's keys (a JWK set), read again when it changes, in place of keys-url.")
        Optional<Path> keysFile,
    LoginConfig login) {
  static final String NEEDS = "an issuer has a name and an audience";

  /** An issuer by which nobody logs in at the dashboard. */
  public IssuerConfig(
      String name,
      String issuer,
      String audience,
      String rolesClaim,
      Optional<URI> keysUrl,
      Optional<Path> keysFile) {
    this(name, issuer, audience, rolesClaim, keysUrl, keysFile, LoginConfig.NONE);
  }

  /** Throws {@link IllegalArgumentException} that names the property and its rule. */
  public IssuerConfig {
    login
        .contradiction()
        .ifPresent(what -> {
          throw new IllegalArgumentException("http.issuers." + name + " " + what);
        });
    if (keysUrl.isPresent() && keysFile.isPresent()) {
      throw new IllegalArgumentException(
          "http.issuers." + name + " has keys-url and keys-file: take one of them away");
    }
    boolean isDiscovered =
        (keysUrl.isEmpty() && keysFile.isEmpty())
            || (login.clientId().isPresent() && login.tokenUrl().isEmpty());
    if (isDiscovered) {
      try {
        var _ = KeysUrlFormat.checked(issuer);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "http.issuers."
                + name
                + ".issuer is not an https URL, so its keys cannot be found there: give keys-url or"
                + " keys-file, and for a login authorization-url and token-url",
            e);
      }
    }
  }
}
