package io.kairos.postgres.task;

import io.kairos.testkit.task.TaskStoreContract;
import io.kairos.testkit.task.TaskStores;

final class PostgresTaskStoreTest extends TaskStoreContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
