package io.kairos.postgres.task;

import io.kairos.contracts.TaskLimitsContract;
import io.kairos.contracts.TaskStores;

final class PostgresTaskLimitsTest extends TaskLimitsContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
