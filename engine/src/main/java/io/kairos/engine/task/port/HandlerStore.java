package io.kairos.engine.task.port;

import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.KeyPolicy;
import io.kairos.domain.task.RetryPolicy;

/**
 * What is set for a handler, for all nodes. A handler of which nothing was set has the defaults.
 */
public interface HandlerStore {
  /** Of tasks that were given none. */
  RetryPolicy retryPolicy(HandlerName handler);

  /** Acts on the next failure of every task that was given none, whenever it was accepted. */
  void setRetryPolicy(HandlerName handler, RetryPolicy policy);

  KeyPolicy keyPolicy(HandlerName handler);

  /** Acts on the next claim; tasks that may begin now are not blocked any longer. */
  void setKeyPolicy(HandlerName handler, KeyPolicy policy);
}
