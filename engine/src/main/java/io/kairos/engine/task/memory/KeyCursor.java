package io.kairos.engine.task.memory;

import io.kairos.engine.task.port.FairEnqueueRequest;
import io.kairos.engine.task.port.FairEnqueueResult;
import org.jspecify.annotations.Nullable;

/**
 * Where the search for the fairness keys of a queue in the store is. A request looks at some keys,
 * and the next one goes on behind them, round and round. Guarded by the lock of {@link TaskQueues}.
 */
final class KeyCursor {
  private String after = FairTasks.NO_KEY;

  /** Where the keys without tasks begin that were looked at last; null for none. */
  private @Nullable String withoutTasksFrom;

  /** The key after which the store is asked for tasks the next time. */
  String after() {
    return after;
  }

  /**
   * Moves on. A request that leaves keys out says nothing about them.
   *
   * @return true when there were tasks, or keys that no request of all keys has looked at since
   *     there were any
   */
  boolean moved(FairEnqueueRequest request, FairEnqueueResult result) {
    after = result.nextAfter();
    boolean isMore = !result.tasks().isEmpty();
    if (isMore || !request.without().isEmpty()) {
      withoutTasksFrom = isMore ? null : withoutTasksFrom;
      return isMore;
    }
    if (result.isWhole()) {
      withoutTasksFrom = null;
      return false;
    }
    if (withoutTasksFrom == null) {
      withoutTasksFrom = request.after();
      return true;
    }
    if (isPassed(request.after(), result.nextAfter(), withoutTasksFrom)) {
      withoutTasksFrom = null;
      return false;
    }
    return true;
  }

  /** True when the way from one key to another, on from the last to the first, comes to a third. */
  private static boolean isPassed(String from, String to, String key) {
    boolean isBehind = FairEnqueueRequest.KEY_ORDER.compare(from, key) < 0;
    boolean isReached = FairEnqueueRequest.KEY_ORDER.compare(key, to) <= 0;
    boolean isOnwards = FairEnqueueRequest.KEY_ORDER.compare(from, to) < 0;
    return isOnwards ? isBehind && isReached : isBehind || isReached;
  }
}
