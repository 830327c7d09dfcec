package io.kairos.edge.access;

import io.kairos.engine.setting.Setting;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A caller of the API.
 *
 * @param name chosen by the operator
 * @param tokenSha256 64 hexadecimal digits in lower case. The node does not have the token itself
 */
public record CallerConfig(
    String name,
    @Setting(
            key = "http.callers.<name>.token-sha256",
            required = true,
            otherwise = NEEDS,
            format = TokenHashFormat.class,
            description =
                "Lets somebody call the API, under a name of your choice: SHA-256 of a token, which must be random (`openssl rand -hex 32` makes one). Without callers everybody on this machine may call everything, and no other machine reaches the process.")
        String tokenSha256,
    @Setting(
            key = "http.callers.<name>.roles",
            required = true,
            otherwise = NEEDS,
            description = "What this caller may do.")
        Set<CallerRole> roles,
    @Setting(
            key = "http.callers.<name>.reserved-keys",
            description =
                "Beginnings of idempotency keys that only this caller may use, such as `night-shift/` for the replicas of the cron night-shift.")
        Set<String> reservedKeys) {
  static final String NEEDS = "a caller has a token, by its hash, and roles";

  public CallerConfig {
    roles = Set.copyOf(roles);
    reservedKeys = Set.copyOf(reservedKeys);
  }

  /** A caller without keys of its own. */
  public CallerConfig(String name, String tokenSha256, Set<CallerRole> roles) {
    this(name, tokenSha256, roles, Set.of());
  }

  /** The beginnings of idempotency keys that others have reserved, and this caller has not. */
  List<String> othersKeys(List<CallerConfig> all) {
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
