package io.kairos.engine.task.port.batch;

import io.kairos.domain.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * What one call has cancelled of a batch.
 *
 * @param count tasks that were cancelled, or whose workers are notified
 * @param next the id below which the next call goes on; null when there are no more
 */
public record BatchCancel(int count, @Nullable TaskId next) {}
