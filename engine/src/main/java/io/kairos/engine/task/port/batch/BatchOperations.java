package io.kairos.engine.task.port.batch;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.batch.BatchId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What callers do with batches. A task joins a batch when it is stored, and stays in it. A batch
 * ends when it is closed and none of its tasks is unfinished; tasks may wait for that.
 */
public interface BatchOperations {
  /** Stores a batch without tasks; of two with one name the first stays. */
  BatchCreation createBatch(NewBatch batch);

  /** Shows a batch with its counts. */
  Optional<BatchView> findBatch(BatchId id);

  List<BatchView> listBatches(BatchQuery query);

  /**
   * Lets no more tasks join a batch. Waits for calls that are storing tasks of it.
   *
   * @return false when it is not known; true also when it was closed before
   */
  boolean closeBatch(BatchId id);

  /**
   * Cancels what has not ended of a batch, the latest first, each task as {@link
   * io.kairos.engine.task.port.operator.TaskOperatorStore#cancel} would, but not those whose
   * workers were notified before. One call passes over a bounded number of tasks.
   *
   * @param before only tasks with a smaller id; null for all
   * @param limit at most this many tasks
   */
  BatchCancel cancelBatch(BatchId id, @Nullable TaskId before, int limit);
}
