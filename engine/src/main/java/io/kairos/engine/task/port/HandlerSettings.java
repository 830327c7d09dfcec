package io.kairos.engine.task.port;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.KeyPolicy;
import io.kairos.domain.task.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What holds for the tasks of a handler on all nodes, set or not.
 *
 * @param retryPolicy of tasks that were given none
 * @param maxUnfinished how many unfinished tasks it may have; null for any number
 */
public record HandlerSettings(
    RetryPolicy retryPolicy, @Nullable Long maxUnfinished, KeyPolicy keyPolicy) {
  public HandlerSettings {
    requireNonNull(retryPolicy, "retryPolicy");
    requireNonNull(keyPolicy, "keyPolicy");
  }
}
