package io.kairos.engine.task.port.batch;

import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchCounts;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.batch.BatchName;
import io.kairos.domain.task.queue.TaskHandler;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A batch at one moment.
 *
 * @param name null for none
 * @param createdBy the caller who has created it; null for none
 * @param counts exact, as of the moment
 * @param closedAt when it was closed, so that no more tasks join it; null before that
 * @param end how it has ended, by {@link BatchCounts#end}; null before it has, and while a task of
 *     it was put back
 * @param completedAt when it has ended; null together with {@code end}
 */
public record BatchView(
    BatchId id,
    TaskHandler handler,
    @Nullable BatchName name,
    Instant createdAt,
    @Nullable String createdBy,
    BatchCounts counts,
    @Nullable Instant closedAt,
    @Nullable TaskState end,
    @Nullable Instant completedAt) {}
