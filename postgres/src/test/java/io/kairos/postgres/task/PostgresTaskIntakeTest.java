package io.kairos.postgres.task;

import io.kairos.contracts.TaskIntakeContract;
import io.kairos.contracts.TaskStores;

final class PostgresTaskIntakeTest extends TaskIntakeContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }
}
