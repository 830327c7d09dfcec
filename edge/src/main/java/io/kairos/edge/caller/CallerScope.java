package io.kairos.edge.caller;

import io.kairos.api.v1.Access.Kind;
import io.kairos.domain.text.NamePattern;
import io.kairos.engine.setting.Setting;
import io.kairos.engine.task.port.operator.HandlerPatterns;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names that a caller may use, as patterns in which {@code *} stands for any characters. Where
 * no pattern of any kind is given, all names; otherwise none of a kind without patterns.
 */
public record CallerScope(
    @Setting(
            key = "http.callers.<name>.handlers",
            description =
                "Handlers that this caller may name, such as `mail-*`; `*` stands for any characters. A caller with handlers, pools, topics, schedules or limits may use these names only, and sees nothing of others; without any of the five it may use all.")
        Set<String> handlers,
    @Setting(key = "http.callers.<name>.pools", description = "Pools that this caller may name.")
        Set<String> pools,
    @Setting(
            key = "http.callers.<name>.topics",
            description = "Output topics that this caller may name.")
        Set<String> topics,
    @Setting(
            key = "http.callers.<name>.schedules",
            description =
                "Schedules that this caller may name, and calendars that it may change. What its schedules make must be of a handler, pool or topic that it may name as well.")
        Set<String> schedules,
    @Setting(
            key = "http.callers.<name>.limits",
            description =
                "Limits by key that tasks of this caller may name: whoever names a limit uses up its places.")
        Set<String> limits) {
  /** All names. */
  public static final CallerScope WHOLE =
      new CallerScope(Set.of(), Set.of(), Set.of(), Set.of(), Set.of());

  private static final String OF_POOLS = "pool:";

  public CallerScope {
    handlers = Set.copyOf(handlers);
    pools = Set.copyOf(pools);
    topics = Set.copyOf(topics);
    schedules = Set.copyOf(schedules);
    limits = Set.copyOf(limits);
  }

  /** True when every name may be used. */
  public boolean isWhole() {
    return handlers.isEmpty()
        && pools.isEmpty()
        && topics.isEmpty()
        && schedules.isEmpty()
        && limits.isEmpty();
  }

  /**
   * True when the name may be used.
   *
   * @param name of a handler also {@code pool:} and the name of a pool
   */
  public boolean covers(Kind kind, String name) {
    if (isWhole()) {
      return true;
    }
    boolean isPool = kind == Kind.HANDLER && name.startsWith(OF_POOLS);
    String own = isPool ? name.substring(OF_POOLS.length()) : name;
    return patterns(isPool ? Kind.POOL : kind).stream()
        .anyMatch(pattern -> NamePattern.matches(pattern, own));
  }

  /** True when no name of this kind may be used. */
  public boolean closes(Kind kind) {
    return !isWhole() && patterns(kind).isEmpty();
  }

  /** The patterns of the handlers and pools that may be used. */
  public HandlerPatterns ofHandlers() {
    return isWhole() ? HandlerPatterns.ALL : new HandlerPatterns(handlers, pools);
  }

  /** The patterns of the schedules that may be used; empty for all of them. */
  public Set<String> ofSchedules() {
    return isWhole() ? Set.of() : schedules;
  }

  private Set<String> patterns(Kind kind) {
    return switch (kind) {
      case HANDLER -> handlers;
      case POOL -> pools;
      case TOPIC -> topics;
      case SCHEDULE -> schedules;
      case LIMIT -> limits;
      case KIND_UNSPECIFIED, UNRECOGNIZED -> Set.of();
    };
  }

  /** The names that either of the two covers. */
  CallerScope or(CallerScope other) {
    return isWhole() || other.isWhole()
        ? WHOLE
        : new CallerScope(
            both(handlers, other.handlers),
            both(pools, other.pools),
            both(topics, other.topics),
            both(schedules, other.schedules),
            both(limits, other.limits));
  }

  private static Set<String> both(Set<String> one, Set<String> other) {
    return Stream.concat(one.stream(), other.stream()).collect(Collectors.toUnmodifiableSet());
  }
}
