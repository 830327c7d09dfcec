package io.kairos.simulator.task;

import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.limit.TaskLimits;
import io.kairos.domain.task.queue.TaskQueueLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges claims by limits by key: at no time more attempts under way that name a limit than it
 * allows, and in no time between two starts, by the store's clock, more starts than its rate and
 * its burst allow. That nobody is forgotten who waits shows at the end, when all must have ended.
 */
final class KeyLimitRules {
  private static final double MICROS = 1_000_000;
  private static final double ROUNDING = 1e-3;

  private final TaskHistory ledger;
  private final Map<LimitPattern, TaskQueueLimit> limits = new HashMap<>();
  private final Map<LimitName, List<Long>> starts = new HashMap<>();

  KeyLimitRules(TaskHistory ledger) {
    this.ledger = ledger;
  }

  /** An operator has set a limit. */
  void limited(LimitPattern pattern, TaskQueueLimit limit) {
    limits.put(pattern, limit);
  }

  /** An operator has removed a limit. */
  void unlimited(LimitPattern pattern) {
    limits.remove(pattern);
  }

  private @Nullable TaskQueueLimit limit(LimitName name) {
    return LimitPattern.of(name, limits.keySet()).map(limits::get).orElse(null);
  }

  /** True when a task that names these may be refused. */
  boolean mayRefuse(TaskLimits names) {
    return names.names().stream().anyMatch(name -> limit(name) != null);
  }

  /**
   * A task is claimed.
   *
   * @param nowMicros by the store's clock
   */
  void claimed(TaskTrack task, TaskLimits names, long nowMicros) {
    for (LimitName name : names.names()) {
      TaskQueueLimit limit = limit(name);
      if (limit == null) {
        continue;
      }
      Integer most = limit.maxRunning();
      long performed = 1 + ledger.performed(row -> names(row.task().details().limits(), name));
      ledger.check(
          most == null || performed <= most,
          TaskRuleNames.KEY_LIMITS,
          () -> task + " begins as the " + performed + "th of " + most + " of " + name);
      checkRate(task, name, limit, nowMicros);
    }
  }

  private static boolean names(TaskLimits some, LimitName name) {
    return some.names().contains(name);
  }

  private void checkRate(TaskTrack task, LimitName name, TaskQueueLimit limit, long nowMicros) {
    Double perSecond = limit.perSecond();
    if (perSecond == null) {
      return;
    }
    List<Long> of = starts.computeIfAbsent(name, _ -> new ArrayList<>());
    // a clock that was set back gives no tokens until it is where it was
    long at = of.isEmpty() ? nowMicros : Math.max(of.getLast(), nowMicros);
    of.add(at);
    for (int i = 0; i < of.size(); i++) {
      long since = at - of.get(i);
      int count = of.size() - i;
      double allowed = limit.size() + perSecond * since / MICROS + ROUNDING;
      ledger.check(
          count <= allowed,
          TaskRuleNames.KEY_LIMITS,
          () -> task + " begins as the " + count + "th of " + name + " in " + since + " us");
    }
  }
}
