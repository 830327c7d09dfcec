package io.kairos.server.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Somebody who may call the API.
 *
 * @param name chosen by the operator
 * @param tokenSha256 64 hexadecimal digits in lower case. The token itself is nowhere on the node;
 *     it must be random, for the hash of a word can be guessed
 */
public record CallerConfig(String name, String tokenSha256, Set<Role> roles) {
  static final String PREFIX = "http.callers";

  private static final String TOKEN = "token-sha256";
  private static final String ROLES = "roles";
  private static final Kind<String> SHA_256 =
      new Kind<>(
          "SHA-256",
          "the SHA-256 of the caller's token, 64 hexadecimal digits",
          text -> {
            if (!text.matches("[0-9a-fA-F]{64}")) {
              throw new IllegalArgumentException();
            }
            return text.toLowerCase(Locale.ROOT);
          },
          hash -> hash);

  public CallerConfig {
    roles = Set.copyOf(roles);
  }

  /** All callers, by name. Empty when there are none, or when there are problems. */
  static List<CallerConfig> readAll(Settings settings) {
    settings.family(
        PREFIX,
        "Who may call the API, each under a name of your choice: `http.callers.<name>.token-sha256` is the SHA-256 of a token, which must be"
            + " random (`openssl rand -hex 32` makes one), `http.callers.<name>.roles` a list of submit, read, worker, admin. Without callers"
            + " everybody on this machine may call everything, and no other machine reaches the node.");
    List<CallerConfig> callers = new ArrayList<>();
    Set<String> hashes = new HashSet<>();
    for (String name : names(settings)) {
      Optional<String> hash =
          settings.optional(key(name, TOKEN), SHA_256, "SHA-256 of this caller's token.");
      Optional<Set<Role>> roles =
          settings.optional(key(name, ROLES), Kind.someOf(Role.class), "What it may do.");
      complain(settings, name);
      if (hash.isPresent() && roles.isPresent()) {
        if (!hashes.add(hash.get())) {
          settings.contradiction(
              key(name, TOKEN) + " is another caller's as well: give each a token of its own");
        }
        callers.add(new CallerConfig(name, hash.get(), roles.get()));
      }
    }
    return callers;
  }

  /** As it is written in the configuration. */
  public static String word(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  static Set<String> names(Settings settings) {
    return settings.names(PREFIX, new LinkedHashSet<>(List.of(TOKEN, ROLES)));
  }

  private static void complain(Settings settings, String name) {
    for (String leaf : List.of(TOKEN, ROLES)) {
      if (!settings.isGiven(key(name, leaf))) {
        settings.contradiction(
            key(name, leaf) + " is missing: a caller has a token, by its hash, and roles");
      }
    }
  }

  private static String key(String name, String leaf) {
    return PREFIX + "." + name + "." + leaf;
  }
}
