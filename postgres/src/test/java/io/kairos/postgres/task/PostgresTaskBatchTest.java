package io.kairos.postgres.task;

import io.kairos.contracts.TaskBatchContract;
import io.kairos.contracts.TaskStores;

final class PostgresTaskBatchTest extends TaskBatchContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
