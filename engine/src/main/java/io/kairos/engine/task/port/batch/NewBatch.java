package io.kairos.engine.task.port.batch;

import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.batch.BatchName;
import io.kairos.domain.task.queue.TaskHandler;
import org.jspecify.annotations.Nullable;

/**
 * A batch that is not yet stored.
 *
 * @param handler whose tasks may join it
 * @param name null for none
 * @param createdBy who creates it, a caller of the API; null for none
 */
public record NewBatch(
    BatchId id, TaskHandler handler, @Nullable BatchName name, @Nullable String createdBy) {}
