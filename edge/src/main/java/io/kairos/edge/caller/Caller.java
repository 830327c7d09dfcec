package io.kairos.edge.caller;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who has shown who they are.
 *
 * @param name the name of the caller; of the subject of a JSON Web Token, the issuer's name, a
 *     slash and the subject
 * @param scopes the names that may be used with each role
 * @param othersKeys beginnings of idempotency keys that are reserved for others
 */
public record Caller(String name, Map<CallerRole, CallerScope> scopes, List<String> othersKeys) {
  public Caller {
    scopes = Map.copyOf(scopes);
    othersKeys = List.copyOf(othersKeys);
  }

  /**
   * Whoever is all of these callers at once: a JSON Web Token may have several roles.
   *
   * @param all the callers that are configured
   */
  static Caller of(String name, List<CallerConfig> each, List<CallerConfig> all) {
    Map<CallerRole, CallerScope> scopes = new EnumMap<>(CallerRole.class);
    for (CallerConfig one : each) {
      one.roles().forEach(role -> scopes.merge(role, one.scope(), CallerScope::or));
    }
    List<String> othersKeys =
        all.stream()
            .flatMap(other -> other.reservedKeys().stream())
            .filter(key -> each.stream().noneMatch(one -> one.reservedKeys().contains(key)))
            .distinct()
            .toList();
    return new Caller(name, scopes, othersKeys);
  }

  /** The names that may be used with a role, which an admin has as well; null without the role. */
  public @Nullable CallerScope scope(CallerRole role) {
    CallerScope own = scopes.get(role);
    CallerScope asAdmin = scopes.get(CallerRole.ADMIN);
    return own == null || asAdmin == null ? (own == null ? asAdmin : own) : own.or(asAdmin);
  }
}
