package io.kairos.engine.task.port.batch;

import io.kairos.domain.task.TaskState;
import java.time.Duration;

/**
 * Stores batches. Their counts are those of all ends of their tasks, whoever brings these about,
 * and nobody waits for others at a batch to end a task.
 */
public interface BatchStore extends BatchOperations {
  /**
   * Gathers ends of tasks that were noted for batches, and ends batches that are closed and whose
   * tasks have all ended. Tasks that wait for these are told by {@link
   * io.kairos.engine.task.port.TaskStepStore#followEnds}.
   *
   * @param limit most noted ends, and most batches that end
   * @return the number of noted ends and of batches that have ended
   */
  int countBatches(int limit);

  /**
   * Deletes batches that ended in this state longer ago than {@code retention}, the oldest first,
   * except those that have not told all tasks that wait for them.
   *
   * @param end a finished state
   * @return the number of deleted batches and of their entries, at most twice {@code limit}
   */
  int pruneBatches(TaskState end, Duration retention, int limit);
}
