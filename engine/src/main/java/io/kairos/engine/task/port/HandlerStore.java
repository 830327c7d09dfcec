package io.kairos.engine.task.port;

import io.kairos.domain.task.KeyPolicy;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskHandler;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is set for a handler, for all nodes. A handler of which nothing was set has the defaults.
 */
public interface HandlerStore {
  HandlerSettings settings(TaskHandler handler);

  /**
   * Changes what is set for a handler, all of it or nothing; who changes the same at once takes
   * turns. A retry policy acts on the next failure of every task that was given none, whenever it
   * was accepted; a key policy on the next claim, and tasks that may begin now are not blocked any
   * longer; a quota on what is accepted next, and the tasks that there are are counted.
   *
   * @param change from what is set; what it leaves as it is, is not written. Nothing is changed
   *     when it throws
   * @return what is set now
   */
  HandlerSettings changeHandler(TaskHandler handler, UnaryOperator<HandlerSettings> change);

  /** Of tasks that were given none. */
  default void setRetryPolicy(TaskHandler handler, RetryPolicy policy) {
    changeHandler(
        handler, before -> new HandlerSettings(policy, before.maxUnfinished(), before.keyPolicy()));
  }

  default void setKeyPolicy(TaskHandler handler, KeyPolicy policy) {
    changeHandler(
        handler,
        before -> new HandlerSettings(before.retryPolicy(), before.maxUnfinished(), policy));
  }

  /**
   * How many unfinished tasks it may have.
   *
   * @param maxUnfinished null for any number
   */
  default void setQuota(TaskHandler handler, @Nullable Long maxUnfinished) {
    changeHandler(
        handler,
        before -> new HandlerSettings(before.retryPolicy(), maxUnfinished, before.keyPolicy()));
  }
}
