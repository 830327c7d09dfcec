package io.kairos.engine.task.port.batch;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.queue.TaskHandler;
import org.jspecify.annotations.Nullable;

/**
 * A query for batches, listed newest first.
 *
 * @param handler null for all
 * @param before only batches with a smaller id; null for the newest
 * @param limit at most this many
 */
public record BatchQuery(@Nullable TaskHandler handler, @Nullable BatchId before, int limit) {
  public BatchQuery {
    require(limit >= 1, "a list needs a limit");
  }
}
