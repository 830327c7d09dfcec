package io.kairos.engine.task.edge;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.batch.BatchName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.batch.BatchCancel;
import io.kairos.engine.task.port.batch.BatchCreation;
import io.kairos.engine.task.port.batch.BatchQuery;
import io.kairos.engine.task.port.batch.BatchView;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node's calls for batches of tasks. Thread-safe. They ask the store on the caller's thread and
 * throw {@link io.kairos.engine.node.StoreUnavailable} when it does not answer.
 */
public interface BatchEdge {
  /**
   * Creates a batch.
   *
   * @param name of two batches of a handler with one name the first stays; null for none
   * @param createdBy a caller of the API; null for none
   */
  BatchCreation create(TaskHandler handler, @Nullable BatchName name, @Nullable String createdBy);

  Optional<BatchView> find(BatchId id);

  List<BatchView> list(BatchQuery query);

  /** Lets no more tasks join a batch; false when it is not known. */
  boolean close(BatchId id);

  /**
   * Cancels what has not ended of a batch, the latest first.
   *
   * @param before only tasks with a smaller id; null for all
   * @param limit at most this many tasks
   */
  BatchCancel cancel(BatchId id, @Nullable TaskId before, int limit);
}
