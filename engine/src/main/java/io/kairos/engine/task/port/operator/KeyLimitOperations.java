package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.queue.TaskQueueLimit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What operators do with limits by key. They hold for all nodes together. */
public interface KeyLimitOperations {
  /** Most limits, those of patterns included. */
  int MOST_LIMITS = 1_000;

  /** Up to how many waiting tasks are counted, and of how many names of a pattern the use. */
  int MOST_COUNTED = 10_000;

  /**
   * Sets a limit. It applies to the next claim and counts the tasks that workers perform already,
   * exactly: no claim that is under way overlooks it.
   *
   * @param limit has a bound
   */
  KeyLimitChange setKeyLimit(LimitPattern pattern, TaskQueueLimit limit);

  /** Removes a limit; tasks that wait for it are woken by and by. Returns false for none. */
  boolean removeKeyLimit(LimitPattern pattern);

  /** All limits by pattern, with their use by the first {@link #MOST_COUNTED} names. */
  List<KeyLimitUse> keyLimits();

  /** The limit of just this pattern, with its use; empty for none. */
  Optional<KeyLimitUse> keyLimit(LimitPattern pattern);

  /**
   * The lately used names for which a limit holds, in their order.
   *
   * @param after null to begin with the first name
   */
  List<LimitNameUse> keyLimitUses(LimitPattern pattern, @Nullable LimitName after, int limit);
}
