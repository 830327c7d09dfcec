package io.kairos.edge.caller;

import io.kairos.engine.setting.Setting;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A caller of the API. It shows who it is by a token, here or in the file of tokens, by a claim of
 * a JSON Web Token or by a certificate.
 *
 * @param name chosen by the operator
 * @param tokenSha256 64 hexadecimal digits in lower case. The node does not have the token itself
 */
public record CallerConfig(
    String name,
    @Setting(
            key = "http.callers.<name>.roles",
            required = true,
            otherwise = "a caller has roles",
            description =
                "Lets somebody call the API, under a name of your choice: what this caller may do. Without callers everybody on this machine may call everything, and no other machine reaches the process.")
        Set<CallerRole> roles,
    @Setting(
            key = "http.callers.<name>.token-sha256",
            format = TokenHashFormat.class,
            description =
                "SHA-256 of this caller's token, which must be random (`openssl rand -hex 32` makes one). Tokens that expire or are replaced while the node runs are in http.tokens-file.")
        Optional<String> tokenSha256,
    @Setting(
            key = "http.callers.<name>.claims",
            description =
                "Whoever has a JSON Web Token with one of these values of roles is this caller: the name of an issuer of http.issuers, a slash and the value, such as `corp/kairos-operators`.")
        Set<String> claims,
    @Setting(
            key = "http.callers.<name>.certificates",
            description =
                "Whoever shows a certificate with one of these names, and no token, is this caller. Each begins with its kind: `dns:worker.example`, `uri:spiffe://example/worker`, `email:team@example.com`, or `cn:worker`, the common name of a certificate without alternative names. Needs http.tls.client-ca.")
        Set<String> certificates,
    @Setting(
            key = "http.callers.<name>.reserved-keys",
            description =
                "Beginnings of idempotency keys that only this caller may use, such as `night-shift/` for the replicas of the cron night-shift.")
        Set<String> reservedKeys,
    CallerScope scope) {
  public CallerConfig {
    roles = Set.copyOf(roles);
    claims = Set.copyOf(claims);
    certificates = Set.copyOf(certificates);
    reservedKeys = Set.copyOf(reservedKeys);
  }

  /** A caller with a token, without keys of its own, who may use all names. */
  public CallerConfig(String name, String tokenSha256, Set<CallerRole> roles) {
    this(name, tokenSha256, roles, Set.of());
  }

  /** A caller with a token, who may use all names. */
  public CallerConfig(
      String name, String tokenSha256, Set<CallerRole> roles, Set<String> reservedKeys) {
    this(
        name, roles, Optional.of(tokenSha256), Set.of(), Set.of(), reservedKeys, CallerScope.WHOLE);
  }

  /** The same caller, who may use only names that match. */
  public CallerConfig within(CallerScope limited) {
    return new CallerConfig(name, roles, tokenSha256, claims, certificates, reservedKeys, limited);
  }

  /** The same caller, known by values of roles instead of a token. */
  public CallerConfig withClaims(String... values) {
    return new CallerConfig(
        name, roles, Optional.empty(), Set.of(values), Set.of(), reservedKeys, scope);
  }

  /** The same caller, known by names in certificates instead of a token. */
  public CallerConfig withCertificates(String... names) {
    return new CallerConfig(
        name, roles, Optional.empty(), Set.of(), Set.of(names), reservedKeys, scope);
  }

  /** The beginnings of idempotency keys that others have reserved, and this caller has not. */
  public List<String> othersKeys(List<CallerConfig> all) {
    return all.stream()
        .flatMap(other -> other.reservedKeys.stream())
        .filter(beginning -> !reservedKeys.contains(beginning))
        .toList();
  }

  /** The role as the configuration spells it. */
  public static String word(CallerRole role) {
    return role.name().toLowerCase(Locale.ROOT);
  }
}
