package io.kairos.engine.schedule.port;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.text.NamePattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A query for schedules.
 *
 * @param prefix prefix of their names; empty for all
 * @param patterns their names match one of these, in which {@code *} stands for any characters;
 *     empty for all
 * @param after lists only names that follow; null for the first
 * @param statuses empty for all
 * @param decider null for any
 */
public record ScheduleFilter(
    String prefix,
    Set<String> patterns,
    @Nullable ScheduleName after,
    Set<FiringStatus> statuses,
    @Nullable ScheduleDecider decider,
    int limit) {
  public ScheduleFilter {
    patterns = Set.copyOf(patterns);
    statuses = Set.copyOf(statuses);
    require(limit >= 1, "a list needs a limit");
  }

  /** Names that need match no pattern. */
  public ScheduleFilter(
      String prefix,
      @Nullable ScheduleName after,
      Set<FiringStatus> statuses,
      @Nullable ScheduleDecider decider,
      int limit) {
    this(prefix, Set.of(), after, statuses, decider, limit);
  }

  /**
   * The beginnings of the names that may be found, in their order; no name begins with two of them.
   * Without a star at the beginning of a pattern a store need not look at the names between them.
   */
  public List<String> beginnings() {
    if (patterns.isEmpty()) {
      return List.of(prefix);
    }
    List<String> found = new ArrayList<>();
    for (String literal : new TreeSet<>(patterns.stream().map(ScheduleFilter::literal).toList())) {
      String beginning = literal.startsWith(prefix) ? literal : prefix;
      boolean isOpen = beginning.startsWith(literal);
      if (isOpen && (found.isEmpty() || !beginning.startsWith(found.getLast()))) {
        found.add(beginning);
      }
    }
    return found;
  }

  private static String literal(String pattern) {
    int star = pattern.indexOf('*');
    return star < 0 ? pattern : pattern.substring(0, star);
  }

  /**
   * True when others may lie between the wanted ones. Those of a replicated cron are found without
   * the others.
   */
  public boolean passesOverMany() {
    return decider != ScheduleDecider.REPLICATED
        && (decider != null || !statuses.isEmpty() || !patterns.isEmpty());
  }

  /** True for a name that matches a pattern, or if there are none. */
  public boolean matches(ScheduleName name) {
    return patterns.isEmpty()
        || patterns.stream().anyMatch(pattern -> NamePattern.matches(pattern, name.value()));
  }
}
