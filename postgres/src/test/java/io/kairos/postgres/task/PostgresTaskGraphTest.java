package io.kairos.postgres.task;

import io.kairos.contracts.TaskGraphContract;
import io.kairos.contracts.TaskStores;

final class PostgresTaskGraphTest extends TaskGraphContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
