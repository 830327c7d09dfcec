package io.kairos.postgres.task;

import io.kairos.testkit.task.QueueStoreContract;
import io.kairos.testkit.task.TaskStores;

final class PostgresQueueStoreTest extends QueueStoreContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
