package io.kairos.postgres.task;

import io.kairos.contracts.TaskSearchContract;
import io.kairos.contracts.TaskStores;

final class PostgresTaskSearchTest extends TaskSearchContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
