package io.kairos.engine.task.port;

import io.kairos.domain.task.OrderingKeyId;
import org.jspecify.annotations.Nullable;

/**
 * The result of sweeping some ordering keys.
 *
 * @param last the last visited key; null after the last of all keys
 * @param found number of deleted keys and of queues with unblocked tasks
 */
public record SweptKeys(@Nullable OrderingKeyId last, int found) {
  public static final SweptKeys NONE = new SweptKeys(null, 0);
}
