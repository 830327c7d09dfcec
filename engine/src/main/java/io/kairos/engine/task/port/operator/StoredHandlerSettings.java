package io.kairos.engine.task.port.operator;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a handler on all nodes, defaults included.
 *
 * @param retryPolicy the policy of tasks without their own
 * @param maxUnfinished most unfinished tasks of the handler; null for any number
 */
public record StoredHandlerSettings(
    RetryPolicy retryPolicy, @Nullable Long maxUnfinished, OrderingKeyPolicy keyPolicy) {
  public StoredHandlerSettings {
    requireNonNull(retryPolicy, "retryPolicy");
    requireNonNull(keyPolicy, "keyPolicy");
  }
}
