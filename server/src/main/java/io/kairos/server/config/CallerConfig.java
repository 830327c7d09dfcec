package io.kairos.server.config;

import io.kairos.engine.setting.Setting;
import java.util.Locale;
import java.util.Set;

/**
 * Somebody who may call the API.
 *
 * @param name chosen by the operator
 * @param tokenSha256 64 hexadecimal digits in lower case. The token itself is nowhere on the node
 */
public record CallerConfig(
    String name,
    @Setting(
            key = "http.callers.<name>.token-sha256",
            required = true,
            otherwise = NEEDS,
            format = ConfigFormats.TokenHashFormat.class,
            description =
                "Lets somebody call the API, under a name of your choice: SHA-256 of a token, which must be random (`openssl rand -hex 32` makes one). Without callers everybody on this machine may call everything, and no other machine reaches the process.")
        String tokenSha256,
    @Setting(
            key = "http.callers.<name>.roles",
            required = true,
            otherwise = NEEDS,
            description = "What this caller may do.")
        Set<Role> roles) {
  static final String NEEDS = "a caller has a token, by its hash, and roles";

  public CallerConfig {
    roles = Set.copyOf(roles);
  }

  /** As it is written in the configuration. */
  public static String word(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }
}
