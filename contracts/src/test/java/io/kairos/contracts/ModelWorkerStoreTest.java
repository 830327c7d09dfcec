package io.kairos.contracts;

import io.kairos.engine.worker.WorkerKey;
import io.kairos.engine.worker.WorkerStore;
import io.kairos.model.cluster.ModelWorkerStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

class ModelWorkerStoreTest extends WorkerStoreContract {
  private final Map<WorkerKey, Integer> running = new HashMap<>();
  private ModelWorkerStore store = new ModelWorkerStore(() -> Instant.EPOCH, _ -> 0);
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");

  @Override
  protected WorkerStore open() {
    store = new ModelWorkerStore(() -> now, worker -> running.getOrDefault(worker, 0));
    return store;
  }

  @Override
  protected void loseSigns() {
    store.loseSigns();
  }

  @Override
  protected void age(Duration by) {
    now = now.plus(by);
  }

  @Override
  protected void performs(WorkerKey worker, int tasks) {
    running.put(worker, tasks);
  }
}
