package io.kairos.client.batch;

import io.kairos.client.task.TaskState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A batch as a node returned it.
 *
 * @param handler name of the handler whose tasks join it, or {@code pool:} and the name of a pool
 * @param name name that its creator gave it; empty for none
 * @param createdBy caller that created it; empty where no callers are configured
 * @param counts its tasks, by how they have ended
 * @param percent percentage of its tasks that have ended, 0 to 100; 100 without tasks
 * @param closedAt when it was closed; null while tasks may join it
 * @param state how it has ended: {@code SUCCEEDED} when all its tasks have succeeded, {@code
 *     CANCELLED} when one was cancelled, {@code FAILED} otherwise; null before it has ended, and
 *     after a task of it was put back until that has ended again
 * @param completedAt when it ended; null together with {@code state}
 */
public record BatchStatus(
    BatchId id,
    String handler,
    String name,
    Instant createdAt,
    String createdBy,
    Counts counts,
    int percent,
    @Nullable Instant closedAt,
    @Nullable TaskState state,
    @Nullable Instant completedAt) {
  /**
   * Tasks of a batch.
   *
   * @param total tasks that have joined
   * @param unfinished tasks that have not ended: they wait or are being performed
   * @param failed tasks that have failed, not those that are dead
   */
  public record Counts(
      int total, int unfinished, int succeeded, int failed, int cancelled, int dead) {}
}
