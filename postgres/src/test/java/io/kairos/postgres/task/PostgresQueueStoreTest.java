package io.kairos.postgres.task;

import io.kairos.contracts.QueueStoreContract;
import io.kairos.contracts.TaskStores;

final class PostgresQueueStoreTest extends QueueStoreContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
