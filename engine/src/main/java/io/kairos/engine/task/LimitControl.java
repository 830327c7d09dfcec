package io.kairos.engine.task;

import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.KeyLimitChange;
import io.kairos.engine.task.port.operator.KeyLimitOperations;
import io.kairos.engine.task.port.operator.KeyLimitUse;
import io.kairos.engine.task.port.operator.LimitNameUse;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores operators' limits by key, and looks at once for tasks that may begin by them.
 *
 * @param sweep wakes the step that wakes waiting tasks
 */
record LimitControl(TaskStore tasks, Wakeup sweep) implements KeyLimitOperations {
  @Override
  public KeyLimitChange setKeyLimit(LimitPattern pattern, TaskQueueLimit limit) {
    KeyLimitChange change = tasks.setKeyLimit(pattern, limit);
    sweep.signal();
    return change;
  }

  @Override
  public boolean removeKeyLimit(LimitPattern pattern) {
    boolean removed = tasks.removeKeyLimit(pattern);
    sweep.signal();
    return removed;
  }

  @Override
  public List<KeyLimitUse> keyLimits() {
    return tasks.keyLimits();
  }

  @Override
  public Optional<KeyLimitUse> keyLimit(LimitPattern pattern) {
    return tasks.keyLimit(pattern);
  }

  @Override
  public List<LimitNameUse> keyLimitUses(
      LimitPattern pattern, @Nullable LimitName after, int limit) {
    return tasks.keyLimitUses(pattern, after, limit);
  }
}
