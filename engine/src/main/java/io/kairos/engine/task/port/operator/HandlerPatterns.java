package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.text.NamePattern;
import java.util.Set;

/**
 * Which handlers and pools to list, by patterns in which {@code *} stands for any characters.
 *
 * @param handlers of names of handlers that are no pools
 * @param pools of names of pools, without the prefix of their wire names
 */
public record HandlerPatterns(Set<String> handlers, Set<String> pools) {
  /** All of them. */
  public static final HandlerPatterns ALL = new HandlerPatterns(Set.of("*"), Set.of("*"));

  public HandlerPatterns {
    handlers = Set.copyOf(handlers);
    pools = Set.copyOf(pools);
  }

  /** True for a handler or pool that is to be listed. */
  public boolean matches(TaskHandler handler) {
    return switch (handler) {
      case HandlerName name -> matches(handlers, name.value());
      case PoolName name -> matches(pools, name.value());
    };
  }

  private static boolean matches(Set<String> patterns, String name) {
    return patterns.stream().anyMatch(pattern -> NamePattern.matches(pattern, name));
  }
}
