package io.kairos.engine.task.port.operator;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.queue.TaskHandler;
import org.jspecify.annotations.Nullable;

/**
 * A query for ordering keys.
 *
 * @param handler null for all handlers
 * @param after lists only keys after this position; null for the first
 * @param limit at most this many
 */
public record KeyQuery(@Nullable TaskHandler handler, @Nullable PageStart after, int limit) {
  public KeyQuery {
    require(limit >= 1, "a list needs a limit");
  }

  /** A key's position in the list, which is ordered by reason and then by number. */
  public record PageStart(BlockedKey.Reason reason, OrderingKeyId key) {}
}
