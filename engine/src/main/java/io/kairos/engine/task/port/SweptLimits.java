package io.kairos.engine.task.port;

import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.engine.node.StoreUnavailable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A part of the lines before limits by key that was looked at.
 *
 * @param last the last name; null when there are no more
 * @param woken how many tasks were woken
 * @param takenOut how many left a line without a turn, or had lost it
 * @param queues the queues of the woken tasks
 * @param unserved queues whose tasks do not come, those that were known included
 * @param failure why none of these names could be swept; null when they were
 */
public record SweptLimits(
    @Nullable LimitName last,
    int woken,
    int takenOut,
    Set<QueueId> queues,
    Set<QueueId> unserved,
    @Nullable StoreUnavailable failure) {
  /** Nothing stands in line. */
  public static final SweptLimits NONE = new SweptLimits(null, 0, 0, Set.of(), Set.of(), null);

  public SweptLimits {
    queues = Set.copyOf(queues);
    unserved = Set.copyOf(unserved);
  }

  /** Throws the failure, if there is one. */
  public void throwFailure() {
    if (failure != null) {
      throw failure;
    }
  }
}
