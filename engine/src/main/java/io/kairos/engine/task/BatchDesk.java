package io.kairos.engine.task;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.batch.BatchName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.edge.BatchEdge;
import io.kairos.engine.task.port.batch.BatchCancel;
import io.kairos.engine.task.port.batch.BatchCreation;
import io.kairos.engine.task.port.batch.BatchOperations;
import io.kairos.engine.task.port.batch.BatchQuery;
import io.kairos.engine.task.port.batch.BatchView;
import io.kairos.engine.task.port.batch.NewBatch;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The calls for batches, which the store serves. */
record BatchDesk(BatchOperations store, Supplier<TaskId> newId) implements BatchEdge {
  @Override
  public BatchCreation create(
      TaskHandler handler, @Nullable BatchName name, @Nullable String createdBy) {
    BatchId id = new BatchId(newId.get().value());
    return store.createBatch(new NewBatch(id, handler, name, createdBy));
  }

  @Override
  public Optional<BatchView> find(BatchId id) {
    return store.findBatch(id);
  }

  @Override
  public List<BatchView> list(BatchQuery query) {
    return store.listBatches(query);
  }

  @Override
  public boolean close(BatchId id) {
    return store.closeBatch(id);
  }

  @Override
  public BatchCancel cancel(BatchId id, @Nullable TaskId before, int limit) {
    return store.cancelBatch(id, before, limit);
  }
}
