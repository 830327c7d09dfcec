package io.kairos.postgres.task;

import io.kairos.contracts.TaskFairnessContract;
import io.kairos.contracts.TaskStores;

final class PostgresTaskFairnessTest extends TaskFairnessContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
