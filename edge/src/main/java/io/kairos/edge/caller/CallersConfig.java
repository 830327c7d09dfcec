package io.kairos.edge.caller;

import io.kairos.edge.tls.ClientCertificate;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of callers and of their credentials.
 *
 * @param callers the callers of the API; if empty, everybody on this machine may call
 */
public record CallersConfig(
    @Setting(
            key = "http.tokens-file",
            description =
                "File with tokens of callers, read again when it changes: in each line the name of a caller of http.callers, the SHA-256 of a token and, if it expires, when, such as `ci 9f86d0... 2027-01-31T00:00:00Z`. A caller may have several tokens. A file that cannot be read or has a mistake changes nothing and is logged.")
        Optional<Path> tokensFile,
    List<CallerConfig> callers,
    List<IssuerConfig> issuers) {
  /** Nobody needs a token. */
  public static final CallersConfig NONE = of(List.of());

  /** Callers whose tokens do not expire. */
  public static CallersConfig of(List<CallerConfig> callers) {
    return new CallersConfig(Optional.empty(), callers, List.of());
  }

  /** Throws {@link IllegalArgumentException} that names the property and its rule. */
  public CallersConfig {
    ConfigRecord.check(CallersConfig.class, tokensFile, callers, issuers);
    callers = List.copyOf(callers);
    issuers = List.copyOf(issuers);
    if (callers.isEmpty() && (tokensFile.isPresent() || !issuers.isEmpty())) {
      throw new IllegalArgumentException(
          "http.tokens-file and http.issuers need callers: say with http.callers.<name>.roles what"
              + " each of them may do");
    }
    Set<String> known = new HashSet<>();
    for (IssuerConfig issuer : issuers) {
      if (!known.add(issuer.issuer())) {
        throw new IllegalArgumentException(
            "http.issuers." + issuer.name() + ".issuer is another issuer's as well");
      }
    }
    Set<String> hashes = new HashSet<>();
    for (CallerConfig caller : callers) {
      requireCredential(caller, tokensFile, issuers);
      requireKinds(caller);
      if (caller.tokenSha256().isPresent() && !hashes.add(caller.tokenSha256().get())) {
        throw new IllegalArgumentException(
            "http.callers."
                + caller.name()
                + ".token-sha256 is another caller's as well: give each a token of its own");
      }
      requireOwnKeys(caller, callers);
    }
  }

  /** True when no callers are configured, so that everybody who reaches the process may call. */
  public boolean isEmpty() {
    return callers.isEmpty();
  }

  private static void requireCredential(
      CallerConfig caller, Optional<Path> tokensFile, List<IssuerConfig> issuers) {
    if (caller.tokenSha256().isEmpty()
        && caller.claims().isEmpty()
        && caller.certificates().isEmpty()
        && tokensFile.isEmpty()) {
      throw new IllegalArgumentException(
          "http.callers."
              + caller.name()
              + " can be nobody: give it a token-sha256, claims or certificates, or a token in"
              + " http.tokens-file");
    }
    for (String claim : caller.claims()) {
      if (issuers.stream().noneMatch(issuer -> claim.startsWith(issuer.name() + "/"))) {
        throw new IllegalArgumentException(
            "http.callers."
                + caller.name()
                + ".claims: '"
                + claim
                + "' must be the name of an issuer of http.issuers, a slash and a value");
      }
    }
  }

  /** Without a kind, a DNS name of a certificate could be taken for somebody's common name. */
  private static void requireKinds(CallerConfig caller) {
    for (String name : caller.certificates()) {
      if (ClientCertificate.KINDS.stream()
          .noneMatch(kind -> name.startsWith(kind) && name.length() > kind.length())) {
        throw new IllegalArgumentException(
            "http.callers."
                + caller.name()
                + ".certificates: '"
                + name
                + "' must begin with the kind of the name, one of "
                + String.join(" ", ClientCertificate.KINDS));
      }
    }
  }

  /** A caller could not use its own keys if another one had reserved how they begin. */
  private static void requireOwnKeys(CallerConfig caller, List<CallerConfig> callers) {
    List<String> othersKeys = caller.othersKeys(callers);
    for (String beginning : caller.reservedKeys()) {
      if (beginning.isBlank() || othersKeys.stream().anyMatch(beginning::startsWith)) {
        throw new IllegalArgumentException(
            "http.callers."
                + caller.name()
                + ".reserved-keys: '"
                + beginning
                + "' must have a letter, and must not begin as those of another caller do");
      }
    }
  }
}
